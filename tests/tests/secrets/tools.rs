//! Tools that tell their secrets wherever they can.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use tool_runtime::prelude::*;
use tool_runtime::{Block, Progress};

/// With what JSON, Rust, base64 and addresses escape.
pub(crate) const CANARY: &str = "c4nary-\"q\\ÿ-7f3kZ";

/// What the output holds that the arguments do not.
pub(crate) const TOKEN: &str = "t0ken-c4nary-9x8w7v6u5t";

pub(crate) const PIN: u64 = 7_319_240_518;

/// Log in.
#[derive(Tool, Serialize, Clone, Debug)]
#[tool(output = Session, present, render = json)]
pub(crate) struct LogIn {
    /// What to do with the secrets.
    pub(crate) mode: Mode,
    pub(crate) user: String,
    /// The password.
    #[tool(secret)]
    #[serde(alias = "pw", default = "default_password")]
    pub(crate) password: String,
    #[tool(secret)]
    pub(crate) pin: Option<u64>,
    #[serde(default)]
    pub(crate) older: Vec<Credential>,
    #[serde(flatten)]
    pub(crate) more: More,
}

fn default_password() -> String {
    CANARY.to_owned()
}

#[tool_input]
#[derive(Serialize, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    Succeed,
    Fail,
    FailWithSource,
    Panic,
    CallAnother,
}

#[tool_input]
#[derive(Serialize, Clone, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Credential {
    Key {
        #[tool(secret)]
        #[serde(rename = "privateKey")]
        key: String,
    },
    Words {
        #[tool(secret)]
        words: Vec<String>,
    },
    Wrapped(Wrapped),
}

#[tool_input]
#[derive(Serialize, Clone, Debug)]
pub(crate) struct Wrapped {
    pub(crate) of: Word,
}

#[tool_input]
#[derive(Serialize, Clone, Debug)]
pub(crate) struct Word(#[tool(secret)] pub(crate) String);

#[tool_input]
#[derive(Serialize, Clone, Debug, Default)]
pub(crate) struct More {
    #[tool(secret)]
    pub(crate) otp: Option<String>,
    pub(crate) note: Option<String>,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Session {
    pub(crate) user: String,
    #[tool_output(secret)]
    pub(crate) token: String,
    #[tool_output(secret)]
    pub(crate) digits: Option<u8>,
    /// Where the author has forgotten that it is one.
    pub(crate) forgotten: Vec<String>,
}

/// What a card is drawn from.
#[tool_output]
pub(crate) struct Card {
    title: String,
    pin: Option<u64>,
}

impl LogIn {
    fn all(&self) -> String {
        format!("{self:?} {} {}", json!(self), self.password)
    }
}

impl Execute for LogIn {
    async fn execute(&self, cx: &Context) -> Result<Session, ToolError> {
        cx.progress(Progress::message(self.all()));
        cx.progress(Progress::message(format!("{}{}", "x".repeat(1015), self.password)));
        cx.add_context(self.all());
        cx.add_context(Content::from(Block::image(format!("PNG{}", self.password), "image/png")));
        let code = Code::new("LOGIN_FAILED");
        match self.mode {
            Mode::Succeed => Ok(Session {
                user: self.user.clone(),
                token: TOKEN.to_owned(),
                digits: Some(42),
                forgotten: vec![self.password.clone(), self.all(), TOKEN.to_owned()],
            }),
            Mode::Fail => {
                let details = json!({"sent": self, self.password.clone(): [self.pin, self.all()]});
                Err(ToolError::new(code, format!("no such user: {}", self.all())).details(details))
            }
            Mode::FailWithSource => {
                let cause = std::io::Error::other(format!("cause: {}", self.all()));
                Err(ToolError::new(code, "no").with_source(std::io::Error::other(cause)))
            }
            Mode::Panic => panic!("on purpose: {}", self.all()),
            Mode::CallAnother => {
                // It knows nothing of secrets, and is told one.
                let quoted = json!({"header": self.password, "unknown": self.all()});
                let refused = cx.call("fetch", quoted).await;
                assert_eq!(tests::code(&refused), "INVALID_ARGS");
                let failed = cx.call("fetch", json!({"header": self.password})).await;
                let failure = failed.into_result().unwrap_err();
                assert!(!format!("{failure:?}").contains("c4nary"), "{failure:?}");
                let token = cx.invoke(GetToken {}).await?;
                assert_eq!(token.token, TOKEN, "a program is told the truth");
                Err(ToolError::new(code, format!("{failure}; with {}", token.token)).with_source(failure))
            }
        }
    }
}

impl Present for LogIn {
    type Meta = Card;

    fn meta(&self, session: &Session) -> Card {
        Card { title: format!("{} {}", self.all(), session.token), pin: self.pin }
    }
}

/// Get a token.
#[derive(Tool, Serialize)]
#[tool(output = Token)]
pub(crate) struct GetToken {}

#[tool_output]
pub(crate) struct Token {
    #[tool_output(secret)]
    pub(crate) token: String,
}

impl Execute for GetToken {
    async fn execute(&self, _: &Context) -> Result<Token, ToolError> {
        Ok(Token { token: TOKEN.to_owned() })
    }
}

impl Render for GetToken {
    fn render(&self, value: &Token) -> Content {
        Content::text(format!("the token is {}", value.token)).with_notice(value.token.as_str())
    }
}

/// Send a request.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
pub(crate) struct Send {
    #[tool(secret)]
    headers: BTreeMap<String, Vec<String>>,
    kind: BTreeMap<String, Mode>,
}

tests::echo!(Send);

/// Fetch a page.
#[derive(Tool, Serialize)]
#[tool(output = String, render = display)]
pub(crate) struct Fetch {
    header: String,
}

impl Execute for Fetch {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Err(ToolError::msg(format!("refused: {:?}", self.header)))
    }
}

/// The arguments of a call that holds the canary wherever a secret may be.
pub(crate) fn arguments(mode: Mode) -> serde_json::Value {
    json!({
        "mode": mode,
        "user": "ann",
        "password": CANARY,
        "pin": PIN,
        "older": [
            {"kind": "key", "privateKey": CANARY},
            {"kind": "words", "words": ["battery", CANARY]},
            {"kind": "wrapped", "of": CANARY},
        ],
        "otp": CANARY,
        "note": "a note",
    })
}

pub(crate) fn dispatcher() -> Dispatcher {
    let mut registry = Registry::new();
    registry.tool::<LogIn>().unwrap().tool::<GetToken>().unwrap().tool::<Fetch>().unwrap().tool::<Send>().unwrap();
    Dispatcher::new(registry)
}
