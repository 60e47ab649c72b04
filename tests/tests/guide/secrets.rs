//! Secrets: what is shown of a call that holds some.

use std::fmt::Write as _;

use tool_runtime::prelude::*;

// ANCHOR: log_in
/// Log in to the shop.
#[derive(Tool)]
#[tool(output = Session, render = json)]
struct LogIn {
    /// Whose account.
    user: String,
    /// The password.
    #[tool(secret)]
    password: String,
}

#[tool_output]
struct Session {
    user: String,
    #[tool_output(secret)]
    token: String,
}
// ANCHOR_END: log_in

impl Execute for LogIn {
    async fn execute(&self, cx: &Context) -> Result<Session, ToolError> {
        cx.progress(format!("logging in with {}", self.password));
        if self.user == "nobody" {
            // ANCHOR: careless
            return Err(ToolError::msg(format!("the shop refused {}:{}", self.user, self.password)));
            // ANCHOR_END: careless
        }
        Ok(Session { user: self.user.clone(), token: "tok-5f3a9c".into() })
    }
}

fn dispatcher() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<LogIn>().expect("the tool is sound");
    Dispatcher::new(registry)
}

#[tokio::test]
async fn each_reader_gets_what_it_may_see() {
    let dispatcher = dispatcher();
    let mut shown = String::new();
    let sent = r#"{"user": "ann", "password": "hunter2"}"#;
    writeln!(shown, "logged    {}", dispatcher.logged_arguments("log_in", sent)).unwrap();
    let result = dispatcher.call(ToolCall::new("call-1", "log_in", sent)).await;
    let success = result.success().unwrap();
    writeln!(shown, "content   {}", result.content().to_text()).unwrap();
    writeln!(shown, "shown     {}", success.shown_value()).unwrap();
    writeln!(shown, "value     {}", success.value()).unwrap();
    super::assert_shown("secrets.txt", &shown);
}

#[tokio::test]
async fn errors_are_told_without_secrets() {
    let dispatcher = dispatcher();
    let mut shown = String::new();
    for sent in [
        r#"{"user": "nobody", "password": "hunter2"}"#,
        r#"{"user": "ann", "pasword": "hunter2"}"#,
        r#"{"user": "ann", "password": ["hunter2"]}"#,
        r#"{"user": "ann", "password": "hunter2"#,
    ] {
        let result = dispatcher.call(ToolCall::new("call-1", "log_in", sent)).await;
        writeln!(shown, "{}", result.content().to_text()).unwrap();
    }
    super::assert_shown("secrets_in_errors.txt", &shown);
}
