//! The law of scopes, over random changes of a tree of them: what is visible, and who answers, is what a model says that is
//! nothing but maps.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tests::{add, answer, code, remove, visible};
use tool_runtime::prelude::*;
use tool_runtime::{RestrictionKey, ToolKey};

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// A root, two scopes in it, and two in each of these: which one each is in.
const PARENTS: [Option<usize>; 7] = [None, Some(0), Some(0), Some(1), Some(1), Some(2), Some(2)];

#[derive(Clone, Debug)]
enum Change {
    Register {
        at: usize,
        name: usize,
    },
    Remove {
        at: usize,
        name: usize,
    },
    /// Keeps the key of a tool, to remove it when another may have its name.
    Keep {
        at: usize,
        name: usize,
    },
    RemoveKept {
        at: usize,
    },
    Replace {
        at: usize,
        with: Vec<usize>,
    },
    Restrict {
        at: usize,
        allow: Option<Vec<usize>>,
        deny: Option<Vec<usize>>,
    },
    Lift {
        at: usize,
        key: prop::sample::Index,
    },
    /// Drops the handle of a scope, and makes another in its place.
    Scope {
        at: usize,
    },
}

fn change() -> impl Strategy<Value = Change> {
    let at = || 0..PARENTS.len();
    let name = || 0..NAMES.len();
    let names = || prop::collection::vec(name(), 0..3);
    prop_oneof![
        4 => (at(), name()).prop_map(|(at, name)| Change::Register { at, name }),
        2 => (at(), name()).prop_map(|(at, name)| Change::Remove { at, name }),
        1 => (at(), name()).prop_map(|(at, name)| Change::Keep { at, name }),
        1 => at().prop_map(|at| Change::RemoveKept { at }),
        1 => (at(), names()).prop_map(|(at, with)| Change::Replace { at, with }),
        3 => (at(), prop::option::of(names()), prop::option::of(names()))
            .prop_map(|(at, allow, deny)| Change::Restrict { at, allow, deny }),
        2 => (at(), any::<prop::sample::Index>()).prop_map(|(at, key)| Change::Lift { at, key }),
        1 => at().prop_map(|at| Change::Scope { at }),
    ]
}

/// A scope as the model knows it. A dropped one stays where it is, since the scopes in it go on.
#[derive(Default)]
struct Model {
    parent: Option<usize>,
    own: BTreeMap<&'static str, String>,
    restrictions: Vec<(usize, Filter)>,
}

type Filter = (Option<Vec<&'static str>>, Option<Vec<&'static str>>);

fn admits((allow, deny): &Filter, name: &str) -> bool {
    allow.as_ref().is_none_or(|allow| allow.contains(&name)) && deny.as_ref().is_none_or(|deny| !deny.contains(&name))
}

/// The dispatchers, each with the model's scope of its own, and what was kept of them.
struct Tree {
    models: Vec<Model>,
    scopes: Vec<(Dispatcher, usize)>,
    keys: Vec<(RestrictionKey, usize)>,
    kept: BTreeMap<usize, (ToolKey, &'static str, String)>,
    registered: usize,
}

impl Tree {
    fn new() -> Self {
        let mut tree = Self {
            models: vec![Model::default()],
            scopes: vec![(Dispatcher::new(Registry::new()), 0)],
            keys: Vec::new(),
            kept: BTreeMap::new(),
            registered: 0,
        };
        for parent in PARENTS.into_iter().flatten() {
            let scope = tree.scope_in(parent);
            tree.scopes.push(scope);
        }
        tree
    }

    fn scope_in(&mut self, parent: usize) -> (Dispatcher, usize) {
        let (parent, model) = &self.scopes[parent];
        self.models.push(Model { parent: Some(*model), ..Model::default() });
        (parent.scoped(), self.models.len() - 1)
    }

    fn answers(&self, model: usize) -> BTreeMap<&'static str, String> {
        let model = &self.models[model];
        let mut answers = model.parent.map(|parent| self.answers(parent)).unwrap_or_default();
        answers.retain(|name, _| model.restrictions.iter().all(|(_, filter)| admits(filter, name)));
        answers.extend(model.own.clone());
        answers
    }

    fn names_above(&self, model: usize) -> Vec<&'static str> {
        let above = std::iter::successors(self.models[model].parent, |above| self.models[*above].parent);
        above.flat_map(|above| self.models[above].own.keys().copied()).collect()
    }

    fn text(&mut self) -> String {
        self.registered += 1;
        self.registered.to_string()
    }

    fn make(&mut self, change: Change) {
        match change {
            Change::Register { at, name } => {
                let (text, name) = (self.text(), NAMES[name]);
                let (scope, model) = &self.scopes[at];
                let own = &mut self.models[*model].own;
                assert_eq!(add(scope, name, &text).is_err(), own.contains_key(name), "a name is taken once in a scope");
                own.entry(name).or_insert(text);
            }
            Change::Remove { at, name } => {
                let (scope, model) = &self.scopes[at];
                let removed = self.models[*model].own.remove(NAMES[name]).is_some();
                assert_eq!(remove(scope, NAMES[name]), removed);
            }
            Change::Keep { at, name } => {
                let (scope, model) = &self.scopes[at];
                let key = scope.change_registry(|own| Ok(own.key(NAMES[name]))).unwrap();
                let text = self.models[*model].own.get(NAMES[name]).cloned();
                assert_eq!(key.is_some(), text.is_some());
                self.kept.extend(key.zip(text).map(|(key, text)| (at, (key, NAMES[name], text))));
            }
            Change::RemoveKept { at } => {
                let Some((key, name, text)) = self.kept.remove(&at) else { return };
                let (scope, model) = &self.scopes[at];
                let own = &mut self.models[*model].own;
                let same = own.get(name) == Some(&text);
                assert_eq!(scope.change_registry(|own| Ok(own.remove(&key))).unwrap(), same, "removal is exact");
                if same {
                    own.remove(name);
                }
            }
            Change::Replace { at, with } => self.replace(at, &with),
            Change::Restrict { at, allow, deny } => self.restrict(at, (allow.map(named), deny.map(named))),
            Change::Lift { at, key } => {
                if self.keys.is_empty() {
                    return;
                }
                let (key, id) = &self.keys[key.index(self.keys.len())];
                let (scope, model) = &self.scopes[at];
                let restrictions = &mut self.models[*model].restrictions;
                let before = restrictions.len();
                restrictions.retain(|(other, _)| other != id);
                assert_eq!(scope.lift(key), restrictions.len() < before, "a key lifts its own restriction");
            }
            Change::Scope { at } => {
                if let Some(parent) = PARENTS[at] {
                    self.scopes[at] = self.scope_in(parent);
                }
            }
        }
    }

    fn replace(&mut self, at: usize, with: &[usize]) {
        let text = self.text();
        let (scope, model) = &self.scopes[at];
        let aside = Dispatcher::new(Registry::new());
        self.models[*model].own.clear();
        for name in with {
            let _ = add(&aside, NAMES[*name], &text);
            self.models[*model].own.insert(NAMES[*name], text.clone());
        }
        scope.replace_registry(aside.registry());
    }

    fn restrict(&mut self, at: usize, filter: Filter) {
        let both = (filter.0.clone().map(Restriction::allow), filter.1.clone().map(Restriction::deny));
        let restriction = match both {
            (Some(allow), Some(deny)) => allow.and(deny),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return,
        };
        let (scope, model) = &self.scopes[at];
        let above = self.names_above(*model);
        let does_nothing = filter.0.is_none() && filter.1.as_ref().is_some_and(Vec::is_empty);
        let names = filter.0.iter().chain(&filter.1).flatten();
        let expected = if at == 0 {
            Some(Code::NOT_SCOPED)
        } else if does_nothing {
            Some(Code::EMPTY_RESTRICTION)
        } else {
            names.into_iter().any(|name| !above.contains(name)).then_some(Code::UNKNOWN_TOOL)
        };
        match scope.restrict(restriction) {
            Err(error) => assert_eq!(Some(error.code()), expected.as_ref(), "{error}"),
            Ok(key) => {
                assert_eq!(expected, None);
                let id = self.keys.len();
                self.keys.push((key, id));
                self.models[*model].restrictions.push((id, filter));
            }
        }
    }

    async fn check(&self) {
        for (scope, model) in &self.scopes {
            let answers = self.answers(*model);
            assert_eq!(visible(scope), answers.keys().copied().collect::<Vec<_>>());
            assert_eq!(scope.registry().len(), answers.len());
            for name in NAMES {
                let expected = answers.get(name).map_or("UNKNOWN_TOOL", String::as_str);
                assert_eq!(answer(scope, name).await, expected);
            }
            let calls = NAMES.map(|name| ToolCall::without_arguments(name, name)).into();
            for (name, result) in NAMES.iter().zip(scope.run(calls).await) {
                assert_eq!(code(&result) == "OK", answers.contains_key(name), "a turn sees what a call sees");
            }
        }
    }
}

fn named(names: Vec<usize>) -> Vec<&'static str> {
    names.into_iter().map(|name| NAMES[name]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_tree_of_scopes_is_what_the_model_says(changes in prop::collection::vec(change(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let mut tree = Tree::new();
            for change in changes {
                tree.make(change);
                tree.check().await;
            }
        });
    }
}
