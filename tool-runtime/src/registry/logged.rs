//! What a log keeps of a call, and what it is about.

use std::borrow::Cow;

use super::Registry;
use crate::definition::{CanonicalInput, is_nothing, masked_whole};

impl Registry {
    /// The arguments of a call of this tool, as they were sent, with `[secret]` in the place of what is a secret by its schema:
    /// for who logs calls. Without secrets they are the same bytes.
    ///
    /// For a tool with secrets, what stands under a key that it does not declare is masked too, and so is what stands where a
    /// value of another kind belongs: a secret under a misspelt key is one. Text that is no JSON, and arguments of a tool that
    /// is unknown here while one here has secrets, are `"[secret]"` altogether. What was logged so is logged the same again.
    ///
    /// ```
    /// # use tool_runtime::prelude::*;
    /// /// Log in.
    /// #[derive(Tool)]
    /// #[tool(output = bool, render = json)]
    /// struct LogIn {
    ///     user: String,
    ///     #[tool(secret)]
    ///     password: String,
    /// }
    /// # impl Execute for LogIn { async fn execute(&self, _: &Context) -> Result<bool, ToolError> { Ok(true) } }
    /// let mut registry = Registry::new();
    /// registry.tool::<LogIn>()?;
    /// let logged = registry.logged_arguments("log_in", r#"{"user": "ann", "pasword": "hunter2"}"#);
    /// assert_eq!(logged, r#"{"user":"ann","pasword":"[secret]"}"#);
    /// # Ok::<(), RegistrationError>(())
    /// ```
    pub fn logged_arguments<'a>(&self, name: &str, sent: &'a str) -> Cow<'a, str> {
        match self.definition(name) {
            Some(definition) => definition.logged_arguments(sent),
            None if self.has_secrets() && !is_nothing(sent) => Cow::Owned(masked_whole()),
            None => Cow::Borrowed(sent),
        }
    }

    /// What a call of this tool is about, from its arguments as they were sent: what its author chose with `#[tool(canonical)]`.
    /// None if the tool is unknown, has not opted in, or its schema refuses the arguments.
    pub fn canonical_input(&self, name: &str, sent: &str) -> Option<CanonicalInput> {
        self.definition(name)?.canonical_input_of(sent)
    }

    /// Whether arguments of a tool may hold a secret.
    pub(crate) fn has_secrets(&self) -> bool {
        self.tools.values().any(|definition| definition.input.secrets().is_some())
    }

    /// Whether a call of this tool, or its value, may hold a secret.
    #[cfg(feature = "mcp-server")]
    pub(crate) fn may_show_marks(&self, name: &str) -> bool {
        self.definition(name).is_some_and(|definition| definition.has_secrets())
    }
}
