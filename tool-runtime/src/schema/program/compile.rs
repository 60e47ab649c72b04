//! From a schema document to its program.

use std::collections::HashMap;
use std::sync::atomic::AtomicUsize;

use serde_json::{Map, Number, Value};

use crate::schema::keywords::Keywords as _;

use super::openings::settle;
use super::rules::{Contains, Fixed, Items, Kinds, Needs, Numbers, Parts, Properties, Property, Strings, Wrong};
use super::{NO_INTEGERS, Node, NodeId, Program};
use crate::json::whole;
use crate::schema::dialect::Dialect;
use crate::schema::explain::limit;
use crate::schema::format::Format;
use crate::schema::keywords::ANNOTATIONS;
use crate::schema::pattern::Pattern;
use crate::schema::references::Names;

type Keywords = Map<String, Value>;

impl Program {
    /// The program of a document whose shape and keywords were found sound; `formats` says whether they are enforced.
    ///
    /// # Errors
    ///
    /// If it needs a keyword that programs don't know.
    pub(in crate::schema) fn compile(
        root: &Value,
        names: &Names,
        dialect: Dialect,
        formats: bool,
    ) -> Result<Self, Unknown> {
        let known = HashMap::new();
        let any = Node { plain: Kinds::ALL, ..Node::new(Kinds::ALL) };
        let nodes = vec![any, Node::new(Kinds::NONE)];
        let mut compiler = Compiler { root, names, dialect, formats, nodes, known, waiting: Vec::new() };
        let start = compiler.schema(root);
        // A list of what is still to do, as definitions may refer to one another in a chain of any length.
        while let Some((id, keywords)) = compiler.waiting.pop() {
            compiler.nodes[id.0 as usize] = compiler.built(keywords)?;
        }
        let mut program = Self { nodes: compiler.nodes, tags: Vec::new(), root: start };
        settle(&mut program);
        Ok(program)
    }
}

/// A schema uses what programs don't know.
#[derive(Debug)]
pub(in crate::schema) struct Unknown;

struct Compiler<'a> {
    root: &'a Value,
    names: &'a Names,
    dialect: Dialect,
    formats: bool,
    nodes: Vec<Node>,
    /// Nodes by the address of their schema.
    known: HashMap<*const Keywords, NodeId>,
    waiting: Vec<(NodeId, &'a Keywords)>,
}

impl<'a> Compiler<'a> {
    fn schema(&mut self, schema: &'a Value) -> NodeId {
        let keywords = match schema {
            Value::Bool(false) => return NodeId::NEVER,
            Value::Object(keywords) => keywords,
            _ => return NodeId::ANY,
        };
        let says_nothing = |keyword: &String| ANNOTATIONS.contains(&keyword.as_str()) || keyword == "$defs";
        if let Some(target) = self.target(keywords)
            && (self.dialect == Dialect::Draft07 || keywords.keys().all(|key| key == "$ref" || says_nothing(key)))
        {
            return self.schema(target);
        }
        if keywords.keys().all(says_nothing) {
            return NodeId::ANY;
        }
        if let Some(known) = self.known.get(&std::ptr::from_ref(keywords)) {
            return *known;
        }
        // The survey bounds the number of schemas.
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node::new(Kinds::NONE));
        self.known.insert(keywords, id);
        self.waiting.push((id, keywords));
        id
    }

    fn target(&self, keywords: &Keywords) -> Option<&'a Value> {
        let reference = keywords.look("$ref")?.as_str()?;
        self.names.resolve(self.root, reference).ok().map(|(target, _)| target)
    }

    /// A keyword, if the dialect has it.
    fn get(&self, keywords: &'a Keywords, keyword: &str) -> Option<&'a Value> {
        keywords.look(keyword).filter(|_| self.dialect.has(keyword))
    }

    fn built(&mut self, keywords: &'a Keywords) -> Result<Node, Unknown> {
        if super::super::unsupported::needs_foreign(keywords, self.dialect, self.formats) {
            return Err(Unknown);
        }
        let mut node = Node {
            fixed: fixed(keywords).map(Box::new),
            numbers: numbers(keywords).map(Box::new),
            strings: self.strings(keywords)?.map(Box::new),
            items: self.items(keywords).map(Box::new),
            properties: self.properties(keywords)?.map(Box::new),
            parts: Some(self.parts(keywords)).filter(|parts| !parts.is_empty()).map(Box::new),
            ..Node::new(kinds(keywords))
        };
        node.plain = plain(&node);
        node.unsigned = unsigned(&node);
        Ok(node)
    }

    fn strings(&self, keywords: &'a Keywords) -> Result<Option<Strings>, Unknown> {
        let pattern = match keywords.look("pattern").and_then(Value::as_str) {
            Some(pattern) => Some(Pattern::compile(pattern).ok_or(Unknown)?),
            None => None,
        };
        let format = keywords.look("format").and_then(Value::as_str).filter(|_| self.formats).and_then(Format::named);
        let least = limit(keywords, "minLength").unwrap_or(0);
        let most = limit(keywords, "maxLength").unwrap_or(usize::MAX);
        let asks = pattern.is_some() || format.is_some() || least > 0 || most < usize::MAX;
        Ok(asks.then_some(Strings { least, most, pattern, format }))
    }

    fn items(&mut self, keywords: &'a Keywords) -> Option<Items> {
        // Draft-07 writes a tuple as a list in `items`, and the rest as `additionalItems`.
        let (first, rest) = match keywords.look("items") {
            Some(Value::Array(first)) => (first.as_slice(), keywords.look("additionalItems")),
            rest => (list(self.get(keywords, "prefixItems")), rest),
        };
        let contains = keywords.look("contains").map(|schema| Contains {
            node: self.schema(schema),
            least: self.get(keywords, "minContains").and_then(|_| limit(keywords, "minContains")).unwrap_or(1),
            most: self.get(keywords, "maxContains").and_then(|_| limit(keywords, "maxContains")).unwrap_or(usize::MAX),
        });
        let rules = Items {
            first: first.iter().map(|schema| self.schema(schema)).collect(),
            rest: rest.map_or(NodeId::ANY, |schema| self.schema(schema)),
            least: limit(keywords, "minItems").unwrap_or(0),
            most: limit(keywords, "maxItems").unwrap_or(usize::MAX),
            unique: keywords.look("uniqueItems").is_some_and(|unique| unique == true),
            contains,
        };
        let asks = !rules.first.is_empty()
            || rules.rest != NodeId::ANY
            || rules.least > 0
            || rules.most < usize::MAX
            || rules.unique
            || rules.contains.is_some();
        asks.then_some(rules)
    }

    fn properties(&mut self, keywords: &'a Keywords) -> Result<Option<Properties>, Unknown> {
        if !ASKING.iter().any(|keyword| self.get(keywords, keyword).is_some()) {
            return Ok(None);
        }
        let required: Vec<&str> = list(keywords.look("required")).iter().filter_map(Value::as_str).collect();
        let known: Box<[Property]> = entries(keywords.look("properties"))
            .map(|(name, schema)| Property {
                name: name.as_str().into(),
                first_key: format!("{}:", Value::from(name.as_str())).into(),
                key: format!(",{}:", Value::from(name.as_str())).into(),
                node: self.schema(schema),
                required: required.contains(&name.as_str()),
                field: AtomicUsize::new(0),
            })
            .collect();
        let mut by_name: Box<[usize]> = (0..known.len()).collect();
        by_name.sort_unstable_by_key(|&place| &known[place].name);
        let declared = |name: &&str| by_name.binary_search_by(|&place| (*known[place].name).cmp(name)).is_ok();
        let also_required = required.iter().filter(|name| !declared(name)).map(|name| (*name).into()).collect();
        let mut patterns = Vec::new();
        for (pattern, schema) in entries(keywords.look("patternProperties")) {
            patterns.push((Pattern::compile(pattern).ok_or(Unknown)?, self.schema(schema)));
        }
        let needs = entries(self.get(keywords, "dependentRequired")).chain(entries(keywords.look("dependencies")));
        let needs = needs.filter(|(_, needed)| needed.is_array()).map(|(name, needed)| {
            let needed = list(Some(needed)).iter().filter_map(Value::as_str).map(Into::into).collect();
            Needs { key: name.as_str().into(), others: needed }
        });
        Ok(Some(Properties {
            required: known.iter().filter(|property| property.required).count(),
            required_places: known
                .iter()
                .take(64)
                .enumerate()
                .fold(0, |places, (place, property)| places | u64::from(property.required) << place),
            also_required,
            patterns: patterns.into(),
            rest: keywords.look("additionalProperties").map_or(NodeId::ANY, |schema| self.schema(schema)),
            says_rest: keywords.says("additionalProperties"),
            least: limit(keywords, "minProperties").unwrap_or(0),
            most: limit(keywords, "maxProperties").unwrap_or(usize::MAX),
            names: keywords.look("propertyNames").map(|schema| self.schema(schema)),
            needs: needs.collect(),
            by_name,
            known,
        }))
    }

    fn parts(&mut self, keywords: &'a Keywords) -> Parts {
        let mut all: Vec<NodeId> = self.target(keywords).map(|target| self.schema(target)).into_iter().collect();
        all.extend(list(keywords.look("allOf")).iter().map(|schema| self.schema(schema)));
        let mut branches = |keyword: &str| {
            let branches = keywords.look(keyword)?.as_array()?;
            Some(branches.iter().map(|schema| self.schema(schema)).collect())
        };
        let (any, one) = (branches("anyOf"), branches("oneOf"));
        let mut optional = |keyword: &str| keywords.look(keyword).map(|schema| self.schema(schema));
        let (not, test) = (optional("not"), optional("if"));
        let condition =
            test.map(|test| (test, optional("then").unwrap_or(NodeId::ANY), optional("else").unwrap_or(NodeId::ANY)));
        let dependent = entries(self.get(keywords, "dependentSchemas")).chain(entries(keywords.look("dependencies")));
        let dependent = dependent.filter(|(_, schema)| !schema.is_array());
        let dependent = dependent.map(|(key, schema)| (key.as_str().into(), self.schema(schema))).collect();
        let unevaluated = self.get(keywords, "unevaluatedProperties").map(|schema| self.schema(schema));
        Parts { all, any, one, not, condition, dependent, unevaluated }
    }
}

/// Keywords that ask something of the properties of an object.
const ASKING: [&str; 9] = [
    "properties",
    "required",
    "patternProperties",
    "additionalProperties",
    "minProperties",
    "maxProperties",
    "propertyNames",
    "dependentRequired",
    "dependencies",
];

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn entries(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flatten()
}

fn kinds(keywords: &Keywords) -> Kinds {
    match keywords.look("type") {
        Some(Value::String(name)) => Kinds::named(name),
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).map(Kinds::named).fold(Kinds::NONE, Kinds::or)
        }
        _ => Kinds::ALL,
    }
}

/// The kinds of scalars of which a node asks nothing but the kind.
fn plain(node: &Node) -> Kinds {
    if node.fixed.is_some() || node.parts.is_some() {
        return Kinds::NONE;
    }
    let constant = Kinds::NULL.or(Kinds::BOOLEAN);
    let strings = if node.strings.is_none() { Kinds::STRING } else { Kinds::NONE };
    let numbers = if node.numbers.is_none() { Kinds::WHOLE.or(Kinds::FRACTION) } else { Kinds::NONE };
    node.kinds.and(constant.or(strings).or(numbers))
}

/// The integers of 0 and more of which it is enough that they are in a range.
fn unsigned(node: &Node) -> (u64, u64) {
    if node.plain.has(Kinds::WHOLE) {
        return (0, u64::MAX);
    }
    let ruled = node.kinds.has(Kinds::WHOLE) && node.fixed.is_none() && node.parts.is_none();
    let range = node.numbers.as_ref().filter(|_| ruled).and_then(|rules| rules.unsigned.as_ref());
    range.map_or(NO_INTEGERS, |range| (*range.start(), *range.end()))
}

/// What `enum` and `const` allow, both of them if both are there.
fn fixed(keywords: &Keywords) -> Option<Fixed> {
    let several = keywords.look("enum").and_then(Value::as_array);
    let allowed: Vec<&Value> = match (keywords.look("const"), several) {
        (Some(only), Some(several)) => {
            Some(only).into_iter().filter(|only| several.iter().any(|value| crate::json::equal(value, only))).collect()
        }
        (Some(only), None) => vec![only],
        (None, Some(several)) => several.iter().collect(),
        (None, None) => return None,
    };
    let mut strings: Box<[Box<str>]> = allowed.iter().filter_map(|value| value.as_str()).map(Into::into).collect();
    strings.sort_unstable();
    let others = allowed.into_iter().filter(|value| !value.is_string()).cloned().collect();
    Some(Fixed { strings, others })
}

fn numbers(keywords: &Keywords) -> Option<Numbers> {
    let keyword = |keyword: &str| keywords.look(keyword).and_then(Value::as_number);
    let bounds: Box<[(Number, Wrong)]> = [
        ("minimum", Wrong::Less),
        ("exclusiveMinimum", Wrong::LessOrEqual),
        ("maximum", Wrong::Greater),
        ("exclusiveMaximum", Wrong::GreaterOrEqual),
    ]
    .into_iter()
    .filter_map(|(name, wrong)| Some((keyword(name)?.clone(), wrong)))
    .collect();
    let step = keyword("multipleOf").cloned();
    let mut range = Some((i128::MIN, i128::MAX));
    for (bound, wrong) in &bounds {
        range = range.zip(whole(bound)).map(|((least, most), bound)| match wrong {
            Wrong::Less => (least.max(bound), most),
            Wrong::LessOrEqual => (least.max(bound + 1), most),
            Wrong::Greater => (least, most.min(bound)),
            Wrong::GreaterOrEqual => (least, most.min(bound - 1)),
        });
    }
    let unsigned = range.filter(|_| step.is_none()).and_then(|(least, most)| {
        let least = u64::try_from(least.max(0)).ok()?;
        Some(least..=u64::try_from(most.min(u64::MAX.into())).ok()?)
    });
    (!bounds.is_empty() || step.is_some()).then_some(Numbers { unsigned, range, bounds, step })
}
