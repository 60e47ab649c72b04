//! The file tools in the words of every provider: what a host puts into a request.
//!
//! `BLESS=1 cargo test -p examples --test wire` writes the goldens anew; then read them.

use std::fs;
use std::path::Path;

use examples::tools::file_tools;
use examples::workspace::Workspace;
use tool_runtime::dialect::{Dialect, GeminiForm, McpRevision, Mode};
use tool_runtime::serde_json::{Value, json};
use tool_runtime::{Registry, serde_json};

const GOLDENS: [(&str, Dialect); 14] = [
    ("openai-chat-strict", Dialect::OpenAiChat(Mode::Strict)),
    ("openai-chat", Dialect::OpenAiChat(Mode::Lenient)),
    ("openai-responses-strict", Dialect::OpenAiResponses(Mode::Strict)),
    ("openai-responses", Dialect::OpenAiResponses(Mode::Lenient)),
    ("anthropic-strict", Dialect::Anthropic(Mode::Strict)),
    ("anthropic", Dialect::Anthropic(Mode::Lenient)),
    ("gemini-openapi", Dialect::Gemini(GeminiForm::OpenApi)),
    ("gemini-json-schema", Dialect::Gemini(GeminiForm::JsonSchema)),
    ("deepseek-strict", Dialect::DeepSeek(Mode::Strict)),
    ("xai", Dialect::Xai),
    ("mistral", Dialect::Mistral),
    ("ollama", Dialect::Ollama),
    ("mcp-2024-11-05", Dialect::Mcp(McpRevision::V2024_11_05)),
    ("mcp-2025-11-25", Dialect::Mcp(McpRevision::V2025_11_25)),
];

fn registry() -> Registry {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let workspace = Workspace::open(directory.path()).expect("a workspace");
    file_tools(workspace).expect("tools that keep their contract")
}

#[test]
fn every_provider_is_sent_its_golden() {
    let registry = registry();
    let mut stale = Vec::new();
    for (name, dialect) in GOLDENS {
        let tools = dialect.lower_all(&registry);
        assert_eq!(tools.left_out(), [], "{name}");
        let mut text = serde_json::to_string_pretty(&tools.definitions()).expect("JSON");
        text.push('\n');
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire").join(name).with_extension("json");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, &text).expect("a golden");
        }
        if fs::read_to_string(&path).unwrap_or_default() != text {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "{stale:?} are stale; write them anew with BLESS=1");
}

#[test]
fn what_is_lost_of_the_file_tools_is_told_to_the_model_or_checked() {
    for (name, dialect) in GOLDENS {
        let tools = dialect.lower_all(&registry());
        for (tool, losses) in tools.losses() {
            for loss in losses {
                assert_ne!(loss.kept(), tool_runtime::dialect::Kept::Nowhere, "{name}: {tool}: {loss}");
            }
        }
    }
}

#[test]
#[ignore = "writes the files that tests/oracles/run gives to the providers' libraries"]
fn definitions_are_written_for_oracles() {
    let directory = std::env::var_os("ORACLES").expect("the directory to write to, in ORACLES");
    let registry = registry();
    for dialect in Dialect::ALL {
        let tools = dialect.lower_all(&registry);
        assert_eq!(tools.left_out(), [], "{dialect:?}");
        let tools: Vec<Value> = tools
            .tools()
            .iter()
            .map(|lowered| json!({"tool": lowered.tool(), "definition": lowered.definition()}))
            .collect();
        let name = format!("{dialect:?}").replace('(', "-").replace(')', "");
        let text = serde_json::to_string_pretty(&tools).expect("JSON");
        fs::write(Path::new(&directory).join(format!("{name}.files.json")), text).expect("a file in the directory");
    }
}
