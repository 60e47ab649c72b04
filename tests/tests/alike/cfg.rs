//! Fields and variants that are not compiled in, on every macro.

use tool_runtime::prelude::*;

#[tool_input]
struct Place {
    name: String,
    #[cfg(any())]
    gone: NoSuchType,
}

#[tool_output]
enum Found {
    Here {
        place: String,
        #[cfg(any())]
        gone: NoSuchType,
    },
    #[cfg(any())]
    Gone(NoSuchType),
}

/// Find things.
#[derive(Tool)]
#[tool(output = Found, render = json)]
struct Find {
    near: Place,
    #[cfg(any())]
    gone: NoSuchType,
    #[cfg_attr(all(), serde(default))]
    limit: u32,
}

impl Execute for Find {
    async fn execute(&self, _: &Context<()>) -> Result<Found, ToolError> {
        let _ = self.limit;
        Ok(Found::Here { place: self.near.name.clone() })
    }
}

#[cfg(any())]
#[derive(Tool)]
struct GoneToo(NoSuchType);

/// Of two fields of one name, one is compiled in.
#[tool_output]
struct Size {
    #[serde(rename = "size")]
    wide: u64,
    #[cfg(any())]
    size: u32,
}

#[test]
fn what_is_not_compiled_in_takes_no_name() {
    let size: Size = serde_json::from_str(r#"{"size":7}"#).unwrap();
    assert_eq!((size.wide, serde_json::to_string(&size).unwrap().as_str()), (7, r#"{"size":7}"#));
}
