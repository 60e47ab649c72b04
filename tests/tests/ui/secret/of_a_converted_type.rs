use tool_runtime::prelude::*;

#[tool_input]
struct Pair {
    word: String,
}

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json)]
#[serde(try_from = "Pair")]
struct LogIn {
    #[tool(secret)]
    password: String,
}

impl TryFrom<Pair> for LogIn {
    type Error = String;

    fn try_from(pair: Pair) -> Result<Self, String> {
        Ok(Self { password: pair.word })
    }
}

fn main() {}
