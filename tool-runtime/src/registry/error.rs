//! Why a tool was not registered.

use std::fmt;

use crate::error::Code;
use crate::json::Pointer;
use crate::schema::SchemaError;

/// Why tools were not registered: every violation of every one of them, at once.
#[derive(Clone, Debug, PartialEq)]
pub struct RegistrationError {
    problems: Vec<Problem>,
}

/// One thing that is wrong, with one tool or with a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// None, where it is the change of a registry that is at fault.
    tool: Option<String>,
    code: Code,
    message: String,
    place: Option<(&'static str, Pointer)>,
}

impl RegistrationError {
    /// Everything that is wrong, tool by tool.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The tool that the first problem is about.
    pub(super) fn tool(&self) -> &str {
        self.problems.first().map_or("", Problem::tool)
    }

    /// The change of a registry that was changed in another way meanwhile, by the change itself.
    pub(super) fn changed_within_a_change() -> Self {
        let mut findings = Findings { tool: None, problems: Vec::new() };
        findings.add(
            Code::NESTED_CHANGE,
            "the registry was changed from within a change of it, which is not put in place; change what the closure gets",
        );
        findings.into()
    }

    /// Both together.
    #[must_use]
    pub(super) fn and(mut self, other: Self) -> Self {
        self.problems.extend(other.problems);
        self
    }
}

impl Problem {
    /// The tool's name; empty where it is no tool that is at fault, but the change of a registry.
    pub fn tool(&self) -> &str {
        self.tool.as_deref().unwrap_or_default()
    }

    /// What kind of problem it is.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// What is wrong, and what to do.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where in a schema: `input` or `output`, and the place in it.
    pub fn place(&self) -> Option<(&'static str, &Pointer)> {
        self.place.as_ref().map(|(side, pointer)| (*side, pointer))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tool) = &self.tool {
            write!(f, "tool {tool:?} ")?;
        }
        write!(f, "[{}]: ", self.code)?;
        if let Some((side, _)) = &self.place {
            write!(f, "{side} schema: ")?;
        }
        f.write_str(&self.message)
    }
}

impl fmt::Display for RegistrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for RegistrationError {}

/// The problems of one tool, while they are looked for.
pub(super) struct Findings {
    tool: Option<String>,
    problems: Vec<Problem>,
}

impl Findings {
    pub(super) fn new(tool: &str) -> Self {
        Self { tool: Some(tool.to_owned()), problems: Vec::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    pub(super) fn add(&mut self, code: Code, message: impl Into<String>) {
        self.problems.push(Problem { tool: self.tool.clone(), code, message: message.into(), place: None });
    }

    pub(super) fn schema(&mut self, side: &'static str, error: Option<&SchemaError>) {
        for violation in error.into_iter().flat_map(SchemaError::violations) {
            self.problems.push(Problem {
                tool: self.tool.clone(),
                code: Code::UNSUPPORTED_SCHEMA,
                message: violation.to_string(),
                place: Some((side, violation.pointer().clone())),
            });
        }
    }
}

impl From<Findings> for RegistrationError {
    fn from(findings: Findings) -> Self {
        Self { problems: findings.problems }
    }
}
