//! `#[derive(ToolFailure)]`: what it writes, and each way to misuse it.

use proc_macro2::TokenStream;
use quote::quote;

use super::{errors, no_bare_names, text};
use crate::failure;

#[test]
fn a_failure_is_data_and_one_call() {
    let expansion = text(&failure(quote! {
        enum ReadFailure {
            #[failure(code = "FS_NOT_FOUND", "no {path:?}", retry = after("2s"), effects = none)]
            NotFound {
                #[failure(details)]
                path: String,
            },
            #[failure(code = "FS_IO", "{0}, again", fatal)]
            Io(#[failure(from)] Cause),
        }
    }));
    for part in [
        "constFAILURES:&'static[::tool_runtime::FailureSpec]=&[",
        "FailureSpec::new(::tool_runtime::Code::new(\"FS_NOT_FOUND\"),\"no{path:?}\")",
        ".retry(::tool_runtime::Retry::After(::core::time::Duration::from_millis(2000u64)))",
        ".effects(::tool_runtime::Effects::None)",
        "\"{0},again\").fatal()",
        "format_args!(\"no{path:?}\",path=__field_path)",
        "format_args!(\"{_0},again\",_0=__field_0)",
        "__tool_private::Detail{name:\"path\",value:__field_path}",
        "ReadFailure::Io{0:__field_0,..}=>__tool_private::caused(__error,__FailureSource::into_source(__field_0)),_=>__error,",
        "impl::core::convert::From<Cause>forReadFailure",
        "impl::core::convert::From<ReadFailure>for::tool_runtime::ToolError",
    ] {
        assert!(expansion.contains(part), "{part}\n{expansion}");
    }
}

#[test]
fn nothing_that_it_writes_can_be_shadowed() {
    let expansion = failure(quote! {
        #[failure(details, retry = never)]
        enum Lost<T> {
            #[failure(code = "LOST", "{name} is lost")]
            Name { name: T },
            #[failure(code = "BROKEN", "broken", fatal)]
            Broken { source: Cause },
        }
    });
    assert_eq!(errors(&expansion), [""; 0]);
    no_bare_names(&expansion, None);
}

#[test]
fn what_an_enum_says_holds_of_its_variants_and_retry_of_no_fatal_one() {
    let expansion = text(&failure(quote! {
        #[failure(retry = corrected, effects = none)]
        enum Lost {
            #[failure(code = "A", "a")]
            A,
            #[failure(code = "B", "b", retry = never, effects = possible)]
            B,
            #[failure(code = "C", "c", fatal)]
            C,
        }
    }));
    for part in [
        "\"a\").retry(::tool_runtime::Retry::Corrected).effects(::tool_runtime::Effects::None)",
        "\"b\").retry(::tool_runtime::Retry::Never).effects(::tool_runtime::Effects::Possible)",
        "\"c\").effects(::tool_runtime::Effects::None).fatal()",
    ] {
        assert!(expansion.contains(part), "{part}\n{expansion}");
    }
}

/// The one error of a variant (or type) that is written like this.
fn told(item: TokenStream) -> String {
    let shown = item.to_string();
    let errors = errors(&failure(item));
    let [error] = errors.as_slice() else { panic!("{shown}: {errors:?}") };
    assert!(error.contains("\\nhelp: "), "{shown}: {error}");
    error.clone()
}

#[test]
fn each_mistake_is_told_once() {
    let variant = |attribute: TokenStream| {
        told(quote! {
            enum Lost {
                #attribute
                Name { name: u8 },
            }
        })
    };
    for (attribute, part) in [
        (quote!(), "no code and no sentence"),
        (quote!(#[failure]), "no code and no sentence"),
        (quote!(#[failure()]), "no code and no sentence"),
        (quote!(#[failure = "LOST"]), "says nothing"),
        (quote!(#[failure("a")]), "`code = 'NAME'`"),
        (quote!(#[failure(code = "LOST")]), "no sentence"),
        (quote!(#[failure(code = LOST, "a")]), "`code` takes a string literal"),
        (quote!(#[failure(code, "a")]), "`code` has no value"),
        (quote!(#[failure(code = "LOST", "  ")]), "blank"),
        (quote!(#[failure(code = "LOST", "a", "b")]), "the sentence is given twice"),
        (quote!(#[failure(code = "LOST" "a")]), "a comma is missing"),
        (quote!(#[failure(code = "LOST", "a", 5)]), "neither the sentence nor a key"),
        (quote!(#[failure(code = "LOST", "a", retry = "never")]), "`retry` is"),
        (quote!(#[failure(code = "LOST", "a", retry = after)]), "`after` needs a time"),
        (quote!(#[failure(code = "LOST", "a", retry = after(10))]), "as a string literal"),
        (quote!(#[failure(code = "LOST", "a", retry = after("10"))]), "needs a unit"),
        (quote!(#[failure(code = "LOST", "a", effects = some)]), "`effects` is"),
        (quote!(#[failure(code = "LOST", "a", fatal = true)]), "`fatal` takes no value"),
        (quote!(#[failure(code = "LOST", "a", fatal, retry = after("1s"))]), "ends the run"),
        (quote!(#[failure(code = "LOST", "a", crate = tools)]), "write it above the type"),
        (quote!(#[failure(code = "LOST", "a", source)]), "write it above the field"),
        (quote!(#[failure(code = "LOST", "a", text = "b")]), "the sentence has no key"),
        (quote!(#[failure(code = "LOST", "a", retryable = true)]), "did you mean `retry`?"),
        (quote!(#[failure(code = "LOST", "{0}")]), "its field is `name`"),
        (quote!(#[failure(code = "LOST", "{name:>width$}")]), "no such field"),
        (quote!(#[failure(code = "PANICKED", "a")]), "`PANICKED` is the framework's code"),
    ] {
        let shown = attribute.to_string();
        let error = variant(attribute);
        assert!(error.contains(part), "{shown}: {error}");
    }
}

#[test]
fn a_fatal_failure_may_say_that_nobody_tries_again() {
    let never = failure(quote! { enum Lost { #[failure(code = "LOST", "a", fatal, retry = never)] Name } });
    assert_eq!(errors(&never), [""; 0]);
}

#[test]
fn fields_have_one_role() {
    let field = |field: TokenStream| {
        told(quote! {
            enum Lost {
                #[failure(code = "LOST", "a")]
                Name { #field },
            }
        })
    };
    for (written, part) in [
        (quote!(#[failure(code = "A")] name: u8), "write it above the variant"),
        (quote!(#[failure("a")] name: u8), "a field has no sentence"),
        (quote!(#[failure(detail)] name: u8), "did you mean `details`?"),
        (quote!(#[failure(source, details)] name: Cause), "the source never leaves"),
        (quote!(#[failure(from, source)] name: Cause), "says nothing beside"),
        (quote!(#[failure(source)] name: &'static str), "a text is no cause"),
        (quote!(#[failure(source)] name: Cause, source: Cause), "are both the source"),
        (quote!(#[failure(from)] name: Cause, other: u8), "has other fields too"),
    ] {
        let shown = written.to_string();
        let error = field(written);
        assert!(error.contains(part), "{shown}: {error}");
    }
}

#[test]
fn types_that_are_no_failure_are_told() {
    for (item, part) in [
        (
            quote!(
                enum Lost {}
            ),
            "names no failure",
        ),
        (quote!(union Lost { a: u8 }), "cannot be a failure"),
        (
            quote!(
                struct Lost {
                    name: u8,
                }
            ),
            "no code and no sentence",
        ),
        (
            quote!(
                #[failure("a")]
                enum Lost {
                    #[failure(code = "A", "a")]
                    A,
                }
            ),
            "an enum has no sentence",
        ),
        (
            quote!(
                enum Lost {
                    #[failure(code = "A", "a")]
                    A(#[failure(from)] E),
                    #[failure(code = "B", "b")]
                    B(#[failure(from)] E),
                }
            ),
            "`A` is made from this type already",
        ),
        (
            quote!(
                enum Lost {
                    #[failure(code = "A", "a")]
                    A,
                    #[failure(code = "A", "b")]
                    B,
                }
            ),
            "the code of `A` already",
        ),
    ] {
        let shown = item.to_string();
        let error = told(item);
        assert!(error.contains(part), "{shown}: {error}");
    }
}

#[test]
fn another_derive_of_error_is_told_alone_where_it_shows() {
    for item in [
        quote!(
            enum Lost {
                #[error("a")]
                A,
                #[error(transparent)]
                B(Cause),
            }
        ),
        quote!(
            #[error("a")]
            struct Lost;
        ),
        quote!(
            #[derive(Debug, thiserror::Error)]
            enum Lost {
                #[failure(code = "A", "a")]
                A,
            }
        ),
    ] {
        let shown = item.to_string();
        let expansion = failure(item);
        let errors = errors(&expansion);
        let [error] = errors.as_slice() else { panic!("{shown}: {errors:?}") };
        assert!(error.contains("stands in for the derive of `Error`"), "{error}");
        let written = text(&expansion);
        assert!(!written.contains("Displayfor") && !written.contains("From<"), "{written}");
    }
}
