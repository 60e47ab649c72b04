//! Bridges servers and calls each of their tools once, as a plan says: `bridge PLAN`, where the plan is a file of JSON.
//!
//! The plan is a list of servers: `name`; `command`, a list of words, or `url`; `tools`, by raw name, each with its
//! `arguments`, what its text `contains`, and the `code` that it ends with (`OK` if nothing is said). A tool that the server
//! lists and the plan does not, or the other way round, is a fault.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::{env, fs};

use tool_runtime::mcp::{Bridge, BridgeReport, ServerCommand};
use tool_runtime::prelude::*;
use tool_runtime::serde_json::{self, Value};

#[tokio::main]
async fn main() -> ExitCode {
    let plan = env::args().nth(1).ok_or("usage: bridge PLAN".to_owned());
    let plan = plan.and_then(|path| fs::read_to_string(path).map_err(|error| error.to_string()));
    let plan = plan.and_then(|text| serde_json::from_str::<Vec<Value>>(&text).map_err(|error| error.to_string()));
    let plan = match plan {
        Ok(plan) => plan,
        Err(problem) => {
            eprintln!("{problem}");
            return ExitCode::from(2);
        }
    };
    let mut faults = Vec::new();
    for server in &plan {
        let name = server["name"].as_str().unwrap_or_default();
        if let Err(error) = try_server(name, server, &mut faults).await {
            faults.push(format!("{name}: {error}"));
        }
    }
    for fault in &faults {
        eprintln!("FAULT {fault}");
    }
    if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The bridge to a server of the plan.
fn bridge(name: &str, server: &Value) -> Bridge {
    if let Some(url) = server["url"].as_str() {
        return Bridge::http(name, url);
    }
    let mut words = server["command"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let program = words.next().unwrap_or_default();
    Bridge::stdio(name, ServerCommand::new(program).args(words))
}

async fn try_server(name: &str, server: &Value, faults: &mut Vec<String>) -> Result<(), Box<dyn std::error::Error>> {
    let dispatcher = Dispatcher::new(Registry::new());
    let connection = bridge(name, server).connect(&dispatcher).await?;
    let report = connection.report();
    println!("{name}: {} tools, revision {}", report.tools.len(), report.revision);
    faults.extend(unplanned(name, server, &report));
    for tool in &report.tools {
        let planned = &server["tools"][&tool.raw];
        let arguments = planned["arguments"].to_string();
        let result = dispatcher.call(ToolCall::new("call", tool.name.as_str(), arguments)).await;
        let code = result.failure().map_or("OK", |failure| failure.code().as_str());
        let text = result.content().to_text();
        let shown: String = text.chars().take(100).collect();
        println!("  {} {code}: {}", tool.name, shown.replace('\n', " | "));
        let (expected, contains) = (planned["code"].as_str().unwrap_or("OK"), planned["contains"].as_str());
        if code != expected || !text.contains(contains.unwrap_or_default()) {
            faults.push(format!(
                "{} was to end with {expected} and say {contains:?}, and said: {code}: {text}",
                tool.name
            ));
        }
    }
    connection.close().await;
    if !dispatcher.registry().is_empty() {
        faults.push(format!("{name}: tools stay when the bridge is closed"));
    }
    Ok(())
}

/// What differs between the plan and the server's list.
fn unplanned(name: &str, server: &Value, report: &BridgeReport) -> Vec<String> {
    let planned: BTreeSet<&str> =
        server["tools"].as_object().into_iter().flatten().map(|(raw, _)| raw.as_str()).collect();
    let listed: BTreeSet<&str> = report.tools.iter().map(|tool| tool.raw.as_str()).collect();
    let mut faults: Vec<_> = planned
        .symmetric_difference(&listed)
        .map(|raw| format!("{name}: only the plan or only the server has {raw:?}"))
        .collect();
    faults.extend(report.left_out.iter().map(|out| format!("{name}: {:?} is left out: {}", out.raw, out.reason)));
    let unchecked = report.tools.iter().filter_map(|tool| Some((&tool.raw, tool.unchecked.as_ref()?)));
    faults.extend(unchecked.map(|(raw, reason)| format!("{name}: the output of {raw:?} is not checked: {reason}")));
    faults
}
