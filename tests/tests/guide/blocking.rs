//! A body that keeps a thread busy.

use tool_runtime::prelude::*;

// ANCHOR: body
/// Find the largest prime below a number.
#[derive(Tool)]
#[tool(output = u64, render = display, read_only, parallel, timeout = "10s")]
struct LargestPrime {
    /// The number.
    #[schemars(range(min = 3))]
    below: u64,
}

impl Execute for LargestPrime {
    async fn execute(&self, cx: &Context) -> Result<u64, ToolError> {
        let below = self.below;
        cx.blocking(move |cx| {
            for candidate in (2..below).rev() {
                if cx.is_cancelled() {
                    return Err(ToolError::aborted());
                }
                if is_prime(candidate) {
                    return Ok(candidate);
                }
            }
            Err(ToolError::msg("there is none"))
        })
        .await
    }
}
// ANCHOR_END: body

fn is_prime(number: u64) -> bool {
    (2..=number.isqrt()).all(|divisor| !number.is_multiple_of(divisor))
}

#[tokio::test]
async fn a_busy_body_ends_like_any_other() {
    assert_eq!(tests::told::<LargestPrime>(r#"{"below": 100}"#).await, "97");
    assert_eq!(tests::told::<LargestPrime>(r#"{"below": 3}"#).await, "2");
}
