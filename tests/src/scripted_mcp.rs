//! A server of the Model Context Protocol that does what a script says, also what no server should do.
//!
//! The script is JSON: `lists`, each the pages of one list of tools; `calls`, by tool, what is done when it is called; `era`,
//! `legacy` (the default) or `modern`. Everything else is said where it is read.

use std::fmt::Write as _;

use tool_runtime::serde_json::{Value, json};

/// What a server does next.
#[derive(Debug)]
pub enum Act {
    /// Sends this line.
    Send(String),
    /// Ends.
    Exit(i32),
}

/// A scripted server, whatever its transport.
#[derive(Debug)]
pub struct Scripted {
    script: Value,
    list: usize,
    received: Vec<Value>,
}

impl Scripted {
    /// A server that does what this says.
    pub fn new(script: Value) -> Self {
        Self { script, list: 0, received: Vec::new() }
    }

    /// What it does about a message.
    pub fn take(&mut self, message: &Value) -> Vec<Act> {
        let id = &message["id"];
        self.received.push(message.clone());
        let answer = |result: Value| vec![Act::Send(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string())];
        let modern = self.script["era"] == "modern";
        match message["method"].as_str().unwrap_or_default() {
            "server/discover" if modern => answer(json!({
                "resultType": "complete", "supportedVersions": ["2026-07-28"], "ttlMs": 0, "cacheScope": "private",
                "capabilities": {"tools": {"listChanged": true}}
            })),
            // `late`: whether it answers what it doesn't know only when it is greeted.
            "server/discover" if self.script.get("late").is_some() => Vec::new(),
            // `unasked`: whether it ends when it is asked what it doesn't know.
            "server/discover" if self.script["unasked"] == "exit" => vec![Act::Exit(3)],
            "initialize" if !modern => {
                let late = self.received.iter().filter(|message| message["method"] == "server/discover");
                let refused = json!({"code": -32601, "message": "no such method"});
                let mut acts: Vec<_> = late
                    .filter(|_| self.script.get("late").is_some())
                    .map(|late| Act::Send(json!({"jsonrpc": "2.0", "id": late["id"], "error": refused}).to_string()))
                    .collect();
                acts.extend(answer(json!({
                    "protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": true}},
                    "serverInfo": {"name": "scripted", "version": "1"}
                })));
                acts
            }
            "tools/list" => self.list(message),
            "tools/call" => self.call(message),
            "ping" => answer(json!({})),
            _ if id.is_null() => Vec::new(),
            _ => vec![Act::Send(
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no such method"}}).to_string(),
            )],
        }
    }

    /// A page: an object with `tools`; or an `error`; or `silence`.
    fn list(&self, message: &Value) -> Vec<Act> {
        let page = message["params"]["cursor"].as_str().and_then(|cursor| cursor.parse().ok()).unwrap_or(0_usize);
        let mut page = self.script["lists"][self.list][page].clone();
        if page == "silence" {
            return Vec::new();
        }
        if self.script["era"] == "modern" && page.is_object() {
            page["resultType"] = "complete".into();
            page["ttlMs"] = 60_000.into();
            page["cacheScope"] = "private".into();
        }
        let key = if page.get("code").is_some() { "error" } else { "result" };
        vec![Act::Send(json!({"jsonrpc": "2.0", "id": message["id"], key: page}).to_string())]
    }

    /// `echo` gives the parameters back; `received` gives all that came; `list` switches to this list and says so; `changes`
    /// says so many times that the list has changed; `lines` sends these, with `$ID` and `$TOKEN` replaced; `progress`
    /// reports, each an object, as many `times`; `text` of so many bytes; `deep`, of
    /// so many levels; `exit` ends; then `result` or `error` is the answer. Without either there is none.
    fn call(&mut self, message: &Value) -> Vec<Act> {
        let (id, params) = (&message["id"], &message["params"]);
        let plan = self.script["calls"][params["name"].as_str().unwrap_or_default()].clone();
        let mut acts = Vec::new();
        let mut send = |message: Value| acts.push(Act::Send(message.to_string()));
        if let Some(list) = plan["list"].as_u64() {
            self.list = usize::try_from(list).unwrap_or_default();
            send(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
        }
        for _ in 0..plan["changes"].as_u64().unwrap_or_default() {
            send(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}));
        }
        let times = usize::try_from(plan["times"].as_u64().unwrap_or(1)).unwrap_or_default();
        let reports = plan["progress"].as_array().map(Vec::as_slice).unwrap_or_default();
        for report in reports.iter().cycle().take(reports.len() * times) {
            let mut report = report.clone();
            report["progressToken"] = params["_meta"]["progressToken"].clone();
            send(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": report}));
        }
        let mut answer = |result: Value| send(json!({"jsonrpc": "2.0", "id": id, "result": result}));
        let text = |text: String| json!({"content": [{"type": "text", "text": text}]});
        if plan.get("echo").is_some() {
            let mut params = params.clone();
            params["_meta"] = Value::Null;
            answer(text(params.to_string()));
        }
        if plan.get("received").is_some() {
            answer(text(Value::from(self.received.clone()).to_string()));
        }
        if let Some(bytes) = plan["text"].as_u64() {
            answer(text("x".repeat(usize::try_from(bytes).unwrap_or_default())));
        }
        if let Some(result) = plan.get("result") {
            answer(result.clone());
        }
        if let Some(error) = plan.get("error") {
            send(json!({"jsonrpc": "2.0", "id": id, "error": error}));
        }
        if let Some(levels) = plan["deep"].as_u64() {
            let levels = usize::try_from(levels).unwrap_or_default();
            let (open, close) = ("[".repeat(levels), "]".repeat(levels));
            acts.push(Act::Send(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":{open}{close}}}}}"#)));
        }
        for line in plan["lines"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let token = params["_meta"]["progressToken"].to_string();
            acts.push(Act::Send(line.replace("$ID", &id.to_string()).replace("$TOKEN", &token)));
        }
        if let Some(code) = plan["exit"].as_i64() {
            acts.push(Act::Exit(i32::try_from(code).unwrap_or(1)));
        }
        acts
    }
}

/// The names of what it inherited, for a tool that is asked for them.
pub fn environment() -> String {
    let mut names: Vec<_> = std::env::vars().map(|(name, _)| name).collect();
    names.sort();
    names.iter().fold(String::new(), |mut line, name| {
        let _ = write!(line, "{name} ");
        line
    })
}
