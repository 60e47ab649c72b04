//! Maps by other keys than text: refused before the first call, also while they are empty, or written as text and published
//! as such.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};
use tests::{code, given, output_schema, put_back};
use tool_runtime::prelude::*;

#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Position {
    row: u8,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Mixed {
    Plain,
    Held(u8),
}

type Pair = (u8, u8);
type Digest = [u8; 32];
type Maybe = Option<u8>;
type Bytes = Vec<u8>;

macro_rules! keyed {
    ($($name:ident: $key:ty;)*) => {$(
        #[tool_output]
        struct $name {
            cells: BTreeMap<$key, u8>,
        }
    )*};
}

keyed! {
    ByStruct: Position;
    ByMixed: Mixed;
    ByPair: Pair;
    ByDigest: Digest;
    ByMaybe: Maybe;
    ByBytes: Bytes;
}

#[tool_output]
struct Nested {
    rows: Vec<Option<HashMap<Position, u8>>>,
}

type Cells = BTreeMap<Pair, u8>;

/// A map that the macro sees, and one that it does not.
#[tool_output]
struct Beside {
    seen: Vec<HashMap<Pair, u8>>,
    hidden: Cells,
}

/// By which it is refused, whatever the macro could see.
fn refusal<T: ToolOutput>() -> String {
    let error = output_schema::<T>().expect_err(std::any::type_name::<T>());
    let [problem] = error.problems() else { panic!("{error}") };
    assert_eq!(problem.code(), &Code::UNSUPPORTED_SCHEMA);
    assert_eq!(problem.place().unwrap().0, "output");
    error.to_string()
}

#[test]
fn keys_that_do_not_print_as_text_are_refused_at_registration_where_the_macro_sees_no_more_than_a_name() {
    for told in [
        refusal::<ByStruct>(),
        refusal::<ByMixed>(),
        refusal::<ByPair>(),
        refusal::<ByDigest>(),
        refusal::<ByMaybe>(),
        refusal::<ByBytes>(),
        refusal::<Nested>(),
    ] {
        assert!(told.contains("a key of this map may be") && told.contains("`Vec` of pairs"), "{told}");
    }
    assert!(refusal::<ByStruct>().contains("may be an object"), "{}", refusal::<ByStruct>());
    assert!(refusal::<Nested>().contains("/properties/rows"), "{}", refusal::<Nested>());
}

#[test]
fn each_map_is_refused_once_and_one_that_the_macro_did_not_see_as_well() {
    let error = output_schema::<Beside>().expect_err("two maps by pairs");
    let told = error.to_string();
    let [seen, hidden] = told.lines().collect::<Vec<_>>()[..] else { panic!("{told}") };
    assert!(seen.contains("/properties/seen/items") && seen.contains("may be an array"), "{seen}");
    assert!(hidden.contains("/properties/hidden\"") && hidden.contains("the key of this map is not"), "{hidden}");
}

/// Count by place.
#[derive(Tool)]
#[tool(output = String, render = display)]
struct Count {
    #[serde(default)]
    places: HashMap<Position, u8>,
}

impl Execute for Count {
    async fn execute(&self, _: &Context) -> Result<String, ToolError> {
        Ok(self.places.len().to_string())
    }
}

#[test]
fn arguments_are_held_to_the_same() {
    let error = Registry::new().tool::<Count>().map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("input schema") && error.to_string().contains("may be an object"), "{error}");
}

#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Fast,
    #[serde(rename = "slow and exact")]
    Exact,
}

#[tool_output]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Id(u32);

#[tool_output]
#[derive(Clone)]
struct Printed {
    numbers: BTreeMap<i16, u8>,
    modes: BTreeMap<Mode, u8>,
    ids: BTreeMap<Id, u8>,
    chars: BTreeMap<char, u8>,
}

fn printed() -> Printed {
    Printed {
        numbers: [(-7, 1), (10, 2)].into(),
        modes: [(Mode::Fast, 1), (Mode::Exact, 2)].into(),
        ids: [(Id(5), 3)].into(),
        chars: [('é', 4)].into(),
    }
}

#[tokio::test]
async fn keys_that_print_as_text_work_and_the_schema_says_which_they_may_be() {
    let result = given(printed).await;
    let text = r#"{"numbers":{"-7":1,"10":2},"modes":{"Fast":1,"slow and exact":2},"ids":{"5":3},"chars":{"é":4}}"#;
    assert_eq!(result.success().unwrap().value().as_str(), text);
    let oracle = jsonschema::validator_for(&output_schema::<Printed>().unwrap()).unwrap();
    let whole: Value = serde_json::from_str(text).unwrap();
    assert!(oracle.is_valid(&whole));
    assert_eq!(code(&put_back(printed, whole.clone()).await), "OK");
    for (map, key) in [
        ("numbers", "x"),
        ("numbers", "1.0"),
        ("numbers", "32768"),
        ("numbers", "007"),
        ("modes", "fast"),
        ("modes", "Exact"),
        ("ids", "-1"),
        ("ids", ""),
        ("chars", "ab"),
    ] {
        let mut bad = whole.clone();
        bad[map] = json!({key: 1});
        assert!(!oracle.is_valid(&bad), "{map} {key}");
        assert_eq!(code(&put_back(printed, bad).await), "INVALID_TOOL_OUTPUT", "{map} {key}");
    }
}
