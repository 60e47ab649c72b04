//! One tool and one call: what the model reads, and the value that a program gets.
use tool_runtime::prelude::*;

/// Split a bill evenly.
#[derive(Tool)]
#[tool(output = Shares, read_only)]
struct SplitBill {
    /// The whole amount, in cents.
    cents: u64,
    /// How many people pay.
    #[schemars(range(min = 1))]
    people: u64,
}
#[tool_output]
struct Shares {
    each: u64,
    left: u64,
}
impl Execute for SplitBill {
    async fn execute(&self, _: &Context) -> Result<Shares, ToolError> {
        Ok(Shares { each: self.cents / self.people, left: self.cents % self.people })
    }
}
impl Render for SplitBill {
    fn render(&self, shares: &Shares) -> Content {
        Content::text(format!("{} people pay {} cents each; {} left over.", self.people, shares.each, shares.left))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::new();
    registry.tool::<SplitBill>()?;
    let call = ToolCall::new("call-1", "split_bill", r#"{"cents": 10000, "people": 3}"#);
    let result = Dispatcher::new(registry).call(call).await.into_result()?;
    println!("the model reads: {}\na program gets:  {}", result.content().to_text(), result.value());
    Ok(())
}
