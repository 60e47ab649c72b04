//! Whole expansions, at the level of tokens.

mod failures;
mod refusals;
mod two_way;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use crate::contract::Side;
use crate::{attribute, output_contract, tool};

fn text(tokens: &TokenStream) -> String {
    tokens.to_string().replace(' ', "")
}

/// The messages of the `compile_error!`s in an expansion.
fn errors(tokens: &TokenStream) -> Vec<String> {
    let text = tokens.to_string().replace("\\\"", "'");
    let parts = text.split("compile_error ! {").skip(1);
    parts.filter_map(|part| Some(part.split('"').nth(1)?.to_owned())).collect()
}

#[test]
fn a_tool_has_its_facts() {
    let expansion = text(&tool(quote! {
        /// Read a text file.
        #[tool(output = FileView, read_only, destructive = false, parallel, timeout = "10s", title = "Read")]
        struct Read {
            path: String,
        }
    }));
    for part in [
        "typeOutput=FileView;",
        "constNAME:&'static::core::primitive::str=\"read\";",
        "=::core::option::Option::Some(\"Read\");",
        "=\"Readatextfile.\";",
        ".read_only(true).destructive(false).parallel(true).timeout(::core::time::Duration::from_millis(10000u64))",
        "input_schema::<__ReadArguments>(false)",
        "__ReadArguments::deserialize(arguments)",
    ] {
        assert!(expansion.contains(part), "{part}\n{expansion}");
    }
}

#[test]
fn the_mirror_takes_what_serde_and_schemars_read() {
    let expansion = text(&tool(quote! {
        /// Find.
        #[derive(Debug)]
        #[tool(output = u8, render = json)]
        #[serde(rename_all = "camelCase", crate = "mine")]
        #[expect(non_snake_case)]
        struct Find {
            /// What for.
            #[serde(alias = "q")]
            #[schemars(length(min = 1))]
            #[arg(long)]
            pub r#type: Vec<Self::Kind>,
        }
    }));
    for part in [
        "#[serde(crate=\"__tool_private::serde\",remote=\"Find\")]",
        "#[serde(rename_all=\"camelCase\")]",
        "#[allow(non_snake_case)]",
        "#[schemars(length(min=1))]",
        "#[schemars(extend(\"x-tool-aliases\"=[\"q\"]))]",
        "r#type:Vec<Find::Kind>",
    ] {
        assert!(expansion.contains(part), "{part}\n{expansion}");
    }
    for part in ["mine", "arg(long)", "pub", "expect", "derive(Debug)"] {
        assert!(!expansion.contains(part), "{part}\n{expansion}");
    }
}

#[test]
fn nothing_in_an_expansion_can_be_shadowed() {
    let expansion = tool(quote! {
        /// Find.
        #[tool(output = Hits, render = display, present, timeout = "1s", title = "Find", open)]
        #[serde(default)]
        struct Find<T: Kind> {
            query: T,
        }
    });
    no_bare_names(&expansion, None);
    no_bare_names(
        &output_contract(quote!(
            struct Page<T>(Vec<T>);
        )),
        None,
    );
}

/// Names of the standard library must follow `::`, whatever the author has in scope.
fn no_bare_names(tokens: &TokenStream, before: Option<char>) {
    let names = ["Option", "Some", "None", "Result", "Ok", "Box", "String", "Default", "Send", "Sync", "str", "bool"];
    let mut before = before;
    for token in tokens.clone() {
        match &token {
            TokenTree::Ident(ident) => {
                let bare = before != Some(':') && names.iter().any(|name| ident == name);
                assert!(!bare, "{ident} in {tokens}");
                before = None;
            }
            TokenTree::Group(group) => {
                no_bare_names(&group.stream(), None);
                before = None;
            }
            TokenTree::Punct(punct) => before = Some(punct.as_char()),
            TokenTree::Literal(_) => before = None,
        }
    }
}

#[test]
fn an_expansion_stays_small() {
    let expansion = tool(quote! {
        /// Find.
        #[tool(output = Hits)]
        struct Find { a: String, b: u32, c: bool, d: Option<u8> }
    });
    let count = count(expansion);
    assert!(count < 450, "{count} tokens");
}

fn count(tokens: TokenStream) -> usize {
    let size = |token| match token {
        TokenTree::Group(group) => 2 + count(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(size).sum()
}

#[test]
fn every_mistake_is_reported_once() {
    let expansion = tool(quote! {
        #[tool(output = u8, parallel, parallel, colour, timeout = "5", name = "a b", read_only, destructive)]
        struct Find(u8);
    });
    let errors = errors(&expansion);
    let wanted = [
        "`parallel` is given twice",
        "has no key `colour`",
        "needs a unit",
        "holds ' '",
        "no description",
        "contradicts",
        "tuple struct",
    ];
    for part in wanted {
        let count = errors.iter().filter(|error| error.contains(part)).count();
        assert_eq!(count, 1, "{part} in {errors:#?}");
    }
    assert_eq!(errors.len(), wanted.len(), "{errors:#?}");
}

#[test]
fn every_message_names_a_remedy() {
    for item in [
        quote!(
            struct Find {}
        ),
        quote!(#[tool(output)] union U { a: u8 }),
        quote!(
            #[tool(output = u8, name = 5, title, render = x, open = true, crate = "x")]
            enum E {}
        ),
        quote!(
            #[tool = "x"]
            struct Find<'a> {
                #[serde(with = "x")]
                a: u128,
                b: HashMap<(u8, u8), u8>,
                c: &'a str,
            }
        ),
    ] {
        let errors = errors(&tool(item));
        assert!(!errors.is_empty());
        for error in errors {
            assert!(error.contains("\\nhelp: "), "{error}");
        }
    }
}

#[test]
fn a_field_default_is_refused() {
    let errors = errors(&tool(quote! {
        /// Find.
        #[tool(output = u8)]
        struct Find { limit: u8 = 5 }
    }));
    assert_eq!(errors.len(), 1, "{errors:?}");
}

#[test]
fn attributes_keep_the_item() {
    let item = quote! {
        /// A view.
        #[derive(Debug, Clone)]
        pub struct View { pub path: String }
    };
    let expansion = text(&attribute(quote!(), item.clone(), Side::Output));
    assert!(expansion.ends_with(&text(&item)), "{expansion}");
    assert!(expansion.contains("::tool_runtime::__private::serde::Serialize,"), "{expansion}");
    let input = text(&attribute(quote!(), item, Side::Input));
    assert!(!input.contains("Serialize"), "{input}");
    assert!(input.contains("#[tool_output_contract(input,)]"), "{input}");

    let function = quote!(
        fn f() -> u8 {
            1
        }
    );
    let expansion = attribute(quote!(), function.clone(), Side::Output);
    assert!(text(&expansion).starts_with(&text(&function)));
    assert_eq!(errors(&expansion).len(), 1);
}

#[test]
fn only_a_none_that_is_left_out_is_never_null() {
    let expansion = text(&attribute(
        quote!(),
        quote! {
            struct View {
                #[serde(skip_serializing_if = "Option::is_none")]
                a: Option<u8>,
                #[serde(skip_serializing_if = "is_boring")]
                b: Option<u8>,
            }
        },
        Side::Output,
    ));
    assert_eq!(expansion.matches("mark_never_null").count(), 1, "{expansion}");
}

#[test]
fn the_other_crate_path_reaches_everything() {
    let expansion = text(&attribute(
        quote!(open, crate = my::tools),
        quote!(
            struct View {
                a: u8,
            }
        ),
        Side::Output,
    ));
    assert!(!expansion.contains("::tool_runtime"), "{expansion}");
    assert!(expansion.contains("#[serde(crate=\"my::tools::__private::serde\")]"), "{expansion}");
    assert!(expansion.contains("#[tool_output_contract(crate=my::tools)]"), "{expansion}");
    let expansion = text(&tool(quote! {
        /// Find.
        #[tool(output = u8, crate = my::tools, render = json)]
        struct Find {}
    }));
    assert!(!expansion.contains("::tool_runtime"), "{expansion}");
}

/// What authors type halfway must not panic: an editor would lose the whole item, and the reason.
#[test]
fn token_soup_never_panics() {
    let mut soup = Soup { state: 0x2545_F491_4F6C_DD1D };
    for _ in 0..1_000 {
        let attr = soup.tokens(3);
        let (body, fields) = (soup.tokens(3), soup.tokens(2));
        let items = [
            body.clone(),
            quote!(#[tool(#attr)] struct Find { #fields }),
            quote!(#[tool(output = #attr)] #[serde(#body)] enum Find { A { #fields }, B }),
            quote!(#[doc = #attr] #[tool(output = u8)] struct Find { #[serde(#body)] a: Option<u8> }),
        ];
        for item in items {
            let _ = tool(item.clone());
            let _ = output_contract(item.clone());
            let _ = attribute(attr.clone(), item.clone(), Side::Output);
            let _ = attribute(attr.clone(), item, Side::Input);
        }
    }
}

/// A xorshift generator of token streams.
struct Soup {
    state: u64,
}

impl Soup {
    fn next(&mut self, below: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state % below as u64).expect("small")
    }

    fn tokens(&mut self, depth: usize) -> TokenStream {
        (0..self.next(7)).map(|_| self.token(depth)).collect()
    }

    fn token(&mut self, depth: usize) -> TokenTree {
        const WORDS: [&str; 24] = [
            "name",
            "output",
            "timeout",
            "read_only",
            "render",
            "json",
            "crate",
            "struct",
            "enum",
            "pub",
            "Self",
            "Option",
            "String",
            "u128",
            "serde",
            "rename",
            "default",
            "skip",
            "with",
            "tag",
            "where",
            "T",
            "HashMap",
            "a",
        ];
        const SIGNS: [char; 10] = ['=', ',', ':', ';', '#', '<', '>', '&', '!', '\''];
        match self.next(if depth == 0 { 8 } else { 10 }) {
            0..4 => Ident::new(WORDS[self.next(WORDS.len())], Span::call_site()).into(),
            4..6 => match SIGNS[self.next(SIGNS.len())] {
                // A quote without its lifetime is no token.
                '\'' => Literal::character('x').into(),
                sign => Punct::new(sign, if self.next(2) == 0 { Spacing::Alone } else { Spacing::Joint }).into(),
            },
            6 => Literal::string(["30s", "", "x y", "camelCase", "T: Copy", "\n"][self.next(6)]).into(),
            7 => Literal::u64_unsuffixed(7).into(),
            _ => {
                let delimiter =
                    [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None][self.next(4)];
                Group::new(delimiter, self.tokens(depth - 1)).into()
            }
        }
    }
}
