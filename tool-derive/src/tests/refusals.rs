//! Which types are refused where they stand, and which only look alike.

use proc_macro2::TokenStream;
use quote::quote;

use super::errors;
use crate::{output_contract, tool};

#[test]
fn a_newtype_is_a_tool_unless_it_plainly_holds_no_object() {
    let told = |field: TokenStream| {
        errors(&tool(quote! {
            /// Show.
            #[tool(output = u8)]
            struct Show(#field);
        }))
    };
    for no_object in [
        quote!(u32),
        quote!(Vec<Row>),
        quote!(serde_json::Value),
        quote!(Box<JsonValue>),
        quote!(Option<Row>),
        quote!((u8, u8)),
    ] {
        let errors = told(no_object.clone());
        let [error] = errors.as_slice() else { panic!("{no_object}: {errors:?}") };
        assert!(error.starts_with("the arguments of a tool are an object, but the tuple struct `Show`"), "{error}");
        assert!(error.contains("name the fields: `struct Show { field: Type }`"), "{error}");
    }
    for maybe in [quote!(Window), quote!(Box<Window>), quote!(BTreeMap<String, u8>)] {
        assert_eq!(told(maybe.clone()), [""; 0], "{maybe}");
    }
}

#[test]
fn a_hash_set_is_no_output_and_may_be_an_argument() {
    let item = |field: TokenStream| quote!(struct Tags { tags: #field });
    for set in [quote!(HashSet<String>), quote!(Option<Vec<std::collections::HashSet<u8>>>)] {
        let errors = errors(&output_contract(item(set.clone())));
        let [error] = errors.as_slice() else { panic!("{set}: {errors:?}") };
        assert!(error.contains("another order each time") && error.contains("`BTreeSet`"), "{error}");
    }
    assert_eq!(errors(&output_contract(item(quote!(BTreeSet<String>)))), [""; 0]);
    let argument = tool(quote! {
        /// Find.
        #[tool(output = u8, render = json)]
        struct Find { tags: HashSet<String> }
    });
    assert_eq!(errors(&argument), [""; 0]);
}

#[test]
fn what_changes_through_a_shared_reference_is_neither_argument_nor_output() {
    for changes in
        [quote!(Mutex<u8>), quote!(Arc<std::sync::RwLock<Vec<u8>>>), quote!(AtomicU32), quote!(Vec<Cell<u8>>)]
    {
        for errors in [
            errors(&output_contract(quote!(struct Count { n: #changes }))),
            errors(&tool(quote! {
                /// Count.
                #[tool(output = u8, render = json)]
                struct Count { n: #changes }
            })),
        ] {
            let [error] = errors.as_slice() else { panic!("{changes}: {errors:?}") };
            assert!(error.starts_with("this could change after it was checked"), "{error}");
        }
    }
    // A field that is not read, and a name that only resembles one.
    let fine = tool(quote! {
        /// Count.
        #[tool(output = u8, render = json)]
        struct Count { #[serde(skip)] seen: AtomicU32, kind: AtomicMass }
    });
    assert_eq!(errors(&fine), [""; 0]);
}

fn item(text: &str) -> TokenStream {
    text.parse().expect("tokens")
}

#[test]
fn two_fields_or_variants_of_one_name_are_refused() {
    for same in [
        r#"struct Same { #[serde(rename = "b")] a: u8, b: u8 }"#,
        r#"struct Same { #[serde(rename = "b", default)] a: u8, #[serde(default)] r#b: u8 }"#,
        r#"#[serde(rename_all = "camelCase")] struct Same { long_name: u8, #[serde(rename = "longName")] other: u8 }"#,
        r#"struct Same { #[serde(alias = "b")] a: u8, b: u8 }"#,
        r#"enum Same { One { #[serde(rename = "b")] a: u8, b: u8 } }"#,
        r#"#[serde(rename_all_fields = "UPPERCASE")] enum Same { One { a: u8, #[serde(rename = "A")] b: u8 } }"#,
        r#"#[serde(rename_all = "snake_case")] enum Same { LongName, #[serde(rename = "long_name")] Other }"#,
        r#"#[serde(tag = "t")] enum Same { One, #[serde(rename = "One")] Two {} }"#,
    ] {
        let errors = errors(&output_contract(item(same)));
        let [error] = errors.as_slice() else { panic!("{same}: {errors:?}") };
        assert!(error.contains("are both") && error.contains("rename one of the two"), "{error}");
    }
    let tool =
        tool(item(r#"#[doc = "Find."] #[tool(output = u8)] struct Find { #[serde(rename = "b")] a: u8, b: u8 }"#));
    assert_eq!(errors(&tool).len(), 1, "{:?}", errors(&tool));
}

#[test]
fn names_of_different_objects_and_of_what_is_not_read_may_be_alike() {
    for apart in [
        r#"struct Apart { #[serde(rename = "b")] a: u8, #[serde(rename = "a")] b: u8 }"#,
        r#"struct Apart { #[serde(alias = "a")] a: u8, #[serde(flatten)] b: Rest }"#,
        "enum Apart { One { a: u8 }, Two { a: u8 } }",
        r#"#[serde(untagged)] enum Apart { One { a: u8 }, #[serde(rename = "One")] Two { b: u8 } }"#,
        "struct Apart(u8, u8);",
    ] {
        assert_eq!(errors(&output_contract(item(apart))), [""; 0], "{apart}");
    }
    let find = r#"#[doc = "Find."] #[tool(output = u8)] struct Find { #[serde(skip, rename = "b")] a: u8, b: u8 }"#;
    assert_eq!(errors(&tool(item(find))), [""; 0]);
}
