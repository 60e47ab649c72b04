use tool_runtime::prelude::*;

#[tool_input]
struct Place {
    path: String,
}

/// Log in.
#[derive(Tool)]
#[tool(output = String, render = json, canonical)]
#[serde(from = "Place")]
struct Write {
    #[tool(canonical)]
    path: String,
}

impl From<Place> for Write {
    fn from(place: Place) -> Self {
        Self { path: place.path }
    }
}

fn main() {}
