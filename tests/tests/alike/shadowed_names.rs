//! A module in which names of the standard library, and the crates that the macros use, mean something else.

mod shadows {
    mod core {}
    mod std {}
    mod serde {}
    mod schemars {}
    mod tool_runtime {}
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

    #[::tool_runtime::tool_output]
    struct Found {
        total: u8,
    }

    #[::tool_runtime::tool_input]
    struct Place {
        floor: u8,
    }

    /// Find things.
    #[derive(::tool_runtime::Tool)]
    #[tool(output = Found, render = json, present, read_only, timeout = "1h", title = "Find", open)]
    #[serde(default)]
    struct Find {
        near: ::std::option::Option<Place>,
        limit: u8,
    }

    impl ::core::default::Default for Find {
        fn default() -> Self {
            Self { near: ::std::option::Option::None, limit: 10 }
        }
    }

    impl ::tool_runtime::Present for Find {
        type Meta = ();

        fn meta(&self, _: &Found) {}
    }
}

#[test]
fn it_works() {}
