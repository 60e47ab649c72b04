//! All tools of a registry for one request.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::budget::Cost;
use super::{Dialect, Loss, Lowered, Unsupported};
use crate::definition::ToolSpec;
use crate::json::{JsonValue, Pointer};
use crate::registry::Registry;
use crate::schema::Violation;
use crate::seam::{ArgumentDecoder, Decoded};

/// The tools of a registry in one dialect: what to send, and the way back of every call.
///
/// What was sent and what reads the answers belong together: hand it to
/// [`Dispatcher::dialect`](crate::Dispatcher::dialect), which decodes every call by it. A clone is the same set.
#[derive(Clone, Debug)]
pub struct LoweredTools(Arc<Set>);

#[derive(Debug)]
struct Set {
    dialect: Dialect,
    /// Every tool of the registry, in its order.
    alone: Vec<Arc<Alone>>,
    tools: Vec<Lowered>,
    left_out: Vec<LeftOut>,
    /// The places of tools by the names that were sent, and by their own.
    by_sent_name: BTreeMap<String, usize>,
    by_name: BTreeMap<String, usize>,
}

/// What comes of a tool as if there were no others.
#[derive(Debug)]
struct Alone {
    spec: ToolSpec,
    lowered: Result<Lowered, Vec<Unsupported>>,
}

/// A tool that the dialect can't say, or that a request has no room for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    tool: String,
    why: Vec<Unsupported>,
}

impl LeftOut {
    /// The tool's own name.
    pub fn tool(&self) -> &str {
        &self.tool
    }

    /// Every reason.
    pub fn why(&self) -> &[Unsupported] {
        &self.why
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why: Vec<String> = self.why.iter().map(ToString::to_string).collect();
        write!(f, "tool {:?}: {}", self.tool, why.join("\n"))
    }
}

impl Dialect {
    /// All tools of a registry, sorted by name, as one request holds them.
    ///
    /// A tool that can't be lowered, and one that a limit of the whole request leaves no room for, is left out with its
    /// reasons; it never takes another with it. For the next request, [`LoweredTools::lower_again`] lowers only what has
    /// changed.
    pub fn lower_all(self, registry: &Registry) -> LoweredTools {
        let alone = |spec: &ToolSpec| Arc::new(Alone { spec: spec.clone(), lowered: self.lower(spec) });
        LoweredTools(Arc::new(Set::of(self, registry.specs().map(alone).collect())))
    }
}

impl Alone {
    /// Whether it is what this tool is lowered to.
    fn is_of(&self, spec: &ToolSpec) -> bool {
        self.spec == *spec && self.spec.input_schema.is_foreign() == spec.input_schema.is_foreign()
    }
}

impl Set {
    fn of(dialect: Dialect, alone: Vec<Arc<Alone>>) -> Self {
        let mut set = Self {
            dialect,
            alone: Vec::new(),
            tools: Vec::new(),
            left_out: Vec::new(),
            by_sent_name: BTreeMap::new(),
            by_name: BTreeMap::new(),
        };
        let mut total = Cost::default();
        for one in &alone {
            match one.lowered.clone().and_then(|lowered| set.with_room(lowered, &mut total)) {
                Ok(lowered) => {
                    set.by_sent_name.insert(lowered.name().to_owned(), set.tools.len());
                    set.by_name.insert(one.spec.name.clone(), set.tools.len());
                    set.tools.push(lowered);
                }
                Err(why) => set.left_out.push(LeftOut { tool: one.spec.name.clone(), why }),
            }
        }
        Self { alone, ..set }
    }

    /// A tool, if the request has room for it beside those before it, and its name is free.
    fn with_room(&self, lowered: Lowered, total: &mut Cost) -> Result<Lowered, Vec<Unsupported>> {
        if let Some(taken) = self.by_sent_name.get(lowered.name()).and_then(|index| self.tools.get(*index)) {
            let reason = format!("it would be sent under the name of {:?}", taken.tool());
            return Err(vec![no_room(&reason, "give one of the two another name")]);
        }
        let next = total.and(lowered.0.cost);
        let beyond = next.beyond(&self.dialect.rules().request);
        if beyond.is_empty() {
            *total = next;
            return Ok(lowered);
        }
        let remedy = "send fewer tools, or this one without strict mode";
        Err(beyond.into_iter().map(|words| no_room(&format!("with it there are {words}"), remedy)).collect())
    }
}

fn no_room(reason: &str, remedy: &str) -> Unsupported {
    Unsupported::new(&Pointer::root(), reason, remedy)
}

impl LoweredTools {
    /// The same as [`Dialect::lower_all`] for the registry as it is now, where only those tools are lowered that have changed
    /// since. If none has, it is the same set.
    ///
    /// ```
    /// # use tool_runtime::{dialect::{Dialect, Mode}, prelude::*};
    /// let mut registry = Registry::new();
    /// # let tool = |name| DynamicTool::new(name, "Do it.", |_, _| async { Ok(serde_json::json!(1)) })
    /// #     .input_schema(serde_json::json!({"type": "object"})).output_schema(serde_json::json!({}));
    /// registry.dynamic(tool("one"))?;
    /// let tools = Dialect::Anthropic(Mode::Lenient).lower_all(&registry);
    ///
    /// // At the next request:
    /// registry.dynamic(tool("two"))?;
    /// let tools = tools.lower_again(&registry);
    /// assert_eq!(tools.tools().len(), 2);
    /// # Ok::<(), RegistrationError>(())
    /// ```
    #[must_use]
    pub fn lower_again(&self, registry: &Registry) -> Self {
        let mut before = self.0.alone.iter().peekable();
        let mut changed = 0_usize;
        let alone = registry.specs().map(|spec| {
            while before.next_if(|one| one.spec.name < spec.name).is_some() {
                changed += 1;
            }
            if let Some(one) = before.next_if(|one| one.is_of(spec)) {
                return Arc::clone(one);
            }
            changed += 1;
            Arc::new(Alone { spec: spec.clone(), lowered: self.0.dialect.lower(spec) })
        });
        let alone: Vec<Arc<Alone>> = alone.collect();
        if changed == 0 && before.next().is_none() {
            return self.clone();
        }
        Self(Arc::new(Set::of(self.0.dialect, alone)))
    }

    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.0.dialect
    }

    /// The list of tools as a request holds it: the same bytes for the same tools.
    pub fn definitions(&self) -> JsonValue {
        self.0.tools.iter().map(|tool| tool.definition().clone()).collect()
    }

    /// The tools, sorted by their own names.
    pub fn tools(&self) -> &[Lowered] {
        &self.0.tools
    }

    /// One tool, by its own name.
    pub fn tool(&self, name: &str) -> Option<&Lowered> {
        self.0.by_name.get(name).and_then(|index| self.0.tools.get(*index))
    }

    /// The tools that are not sent, and why.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.0.left_out
    }

    /// What could not be said, tool by tool.
    pub fn losses(&self) -> impl Iterator<Item = (&str, &[Loss])> {
        self.0.tools.iter().filter(|tool| !tool.losses().is_empty()).map(|tool| (tool.tool(), tool.losses()))
    }
}

impl ArgumentDecoder for LoweredTools {
    fn tool_name<'a>(&'a self, called: &'a str) -> &'a str {
        let index = self.0.by_sent_name.get(called);
        index.and_then(|index| self.0.tools.get(*index)).map_or(called, Lowered::tool)
    }

    fn changes(&self, tool: &str) -> Option<Decoded> {
        let decoder = self.tool(tool)?.decoder();
        match (decoder.is_identity(), decoder.settles_for_accepted()) {
            (true, _) => None,
            (false, true) => Some(Decoded::UnlessAccepted),
            (false, false) => Some(Decoded::Always),
        }
    }

    fn decode(&self, tool: &str, sent: &JsonValue) -> Result<JsonValue, Vec<Violation>> {
        self.tool(tool).map_or_else(|| Ok(sent.clone()), |lowered| lowered.decoder().decode(sent))
    }

    fn decode_text<'t>(&self, tool: &str, sent: &'t str) -> Option<Cow<'t, str>> {
        self.tool(tool)?.decoder().decode_text(sent)
    }

    fn place(&self, tool: &str, sent: &JsonValue, own: &Pointer) -> Pointer {
        self.tool(tool).map_or_else(|| own.clone(), |lowered| lowered.decoder().place(sent, own))
    }
}
