//! A module in which names of the standard library, and the crates that the macros use, mean something else.

mod shadows {
    use ::tool_runtime::{
        Content, Context, Execute, Present, Render, Tool, ToolError, ToolFailure, tool_input, tool_output,
    };

    mod core {}
    mod std {}
    mod serde {}
    mod schemars {}
    mod tool_runtime {}
    trait From {}
    trait Display {}
    trait Into {}
    struct Option;
    struct Result;
    struct Ok;
    struct Err;
    struct Box;
    struct String;
    struct Vec;
    trait Default {}
    trait Send {}
    trait Sync {}
    trait Sized {}
    trait Clone {}
    trait Iterator {}

    /// Find things.
    #[derive(Tool)]
    #[tool(output = Found, failure = Lost, present, read_only, timeout = "1h", title = "Find", open)]
    #[serde(default)]
    pub(super) struct Find {
        near: ::std::option::Option<Place>,
        #[schemars(range(min = 1))]
        limit: u8,
    }

    #[tool_input]
    struct Place {
        name: Name,
    }

    #[tool_input]
    #[serde(rename_all = "snake_case")]
    enum Name {
        Ulm,
        Other(::std::string::String),
    }

    #[tool_output]
    pub(super) struct Found {
        hits: ::std::vec::Vec<Hit>,
        #[serde(default, skip_serializing_if = "::std::option::Option::is_none")]
        more: ::std::option::Option<u8>,
    }

    #[tool_output]
    pub(super) struct Hit {
        name: ::std::string::String,
    }

    #[derive(ToolFailure)]
    #[failure(details, retry = safe)]
    pub(super) enum Lost {
        #[failure(code = "LOST", "{name} is lost", retry = after("1s"), effects = none)]
        Name { name: ::std::string::String },
        #[failure(code = "BROKEN", "the index is broken", fatal)]
        Index(#[failure(from)] ::std::io::Error),
    }

    impl ::core::default::Default for Find {
        fn default() -> Self {
            Self { near: ::std::option::Option::None, limit: 10 }
        }
    }

    impl Execute for Find {
        async fn execute(&self, _: &Context) -> ::std::result::Result<Found, ToolError> {
            let name = match &self.near {
                ::std::option::Option::Some(Place { name: Name::Other(name) }) => ::std::format!("near {name}"),
                ::std::option::Option::Some(Place { name: Name::Ulm }) => ::std::string::String::from("Ulm"),
                ::std::option::Option::None if self.limit == 0 => {
                    return ::std::result::Result::Err(Lost::Name { name: ::std::string::String::from("all") }.into());
                }
                ::std::option::Option::None => ::std::format!("up to {}", self.limit),
            };
            let hits = ::std::vec![Hit { name }];
            ::std::result::Result::Ok(Found { hits, more: ::std::option::Option::None })
        }
    }

    impl Render for Find {
        fn render(&self, found: &Found) -> Content {
            Content::text(::std::format!("{} hits", found.hits.len()))
        }
    }

    impl Present for Find {
        type Meta = ();

        fn meta(&self, _: &Found) {}
    }
}

#[tokio::test]
async fn it_works() {
    use tool_runtime::prelude::*;

    let dispatcher = Dispatcher::new(toolset! { () => [shadows::Find] }.unwrap());
    for (arguments, name) in [
        (r#"{"near": {"name": "ulm"}}"#, "Ulm"),
        (r#"{"near": {"name": {"other": "Bonn"}}}"#, "near Bonn"),
        (r#"{"unknown": 1}"#, "up to 10"),
    ] {
        let result = dispatcher.call(ToolCall::new("call", "find", arguments)).await.into_result().unwrap();
        assert_eq!(result.value().as_str(), format!(r#"{{"hits":[{{"name":"{name}"}}]}}"#));
    }
}
