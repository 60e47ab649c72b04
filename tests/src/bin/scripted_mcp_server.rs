//! A scripted server over standard input and output: `scripted_mcp_server SCRIPT`, where the script is JSON.
//!
//! `starts` is a file that counts how often it was started, and `fails` the starts that fail; `errors` is written to the error
//! output; `child` is a file for the process id of a child that it leaves running; `stubborn` lets it outlive its input.

use std::io::{self, BufRead as _, Write as _};
use std::process::{Command, ExitCode};
use std::{fs, thread, time};

use tests::scripted_mcp::{Act, Scripted, environment};
use tool_runtime::serde_json::{self, Value};

fn main() -> ExitCode {
    let script = std::env::args().nth(1).unwrap_or_default();
    let Ok(script) = serde_json::from_str::<Value>(&script) else { return ExitCode::from(2) };
    if let Some(errors) = script["errors"].as_str() {
        eprintln!("{errors}");
    }
    if script.get("environment").is_some() {
        eprintln!("inherited: {}", environment());
    }
    if let Some(file) = script["starts"].as_str() {
        let starts = fs::read_to_string(file).ok().and_then(|count| count.parse().ok()).unwrap_or(0) + 1;
        if fs::write(file, starts.to_string()).is_err() || fails(&script, starts) {
            return ExitCode::from(4);
        }
    }
    if let Some(file) = script["child"].as_str()
        && let Ok(child) = Command::new("sleep").arg("600").spawn()
        && fs::write(file, child.id().to_string()).is_err()
    {
        return ExitCode::from(5);
    }
    let code = serve(&script);
    if script.get("stubborn").is_some() {
        thread::sleep(time::Duration::from_mins(10));
    }
    code
}

/// `fails` are numbers of starts.
fn fails(script: &Value, start: u64) -> bool {
    script["fails"].as_array().is_some_and(|fails| fails.contains(&Value::from(start)))
}

fn serve(script: &Value) -> ExitCode {
    let mut scripted = Scripted::new(script.clone());
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let Ok(message) = line.map_err(|_| ()).and_then(|line| serde_json::from_str(&line).map_err(|_| ())) else {
            return ExitCode::from(6);
        };
        for act in scripted.take(&message) {
            match act {
                Act::Send(line) => {
                    if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
                        return ExitCode::SUCCESS;
                    }
                }
                Act::Exit(code) => return u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from),
            }
        }
    }
    ExitCode::SUCCESS
}
