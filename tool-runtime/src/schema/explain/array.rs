//! Arrays.

use std::collections::HashMap;

use serde_json::Value;

use super::super::canonical;
use super::super::violation::MAX_FAULTS;
use super::{Fault, Node, Walk, limit, plural};
use crate::json::Pointer;

impl Walk<'_> {
    pub(super) fn visit_array(&mut self, node: &Node, items: &[Value], at: &Pointer, faults: &mut Vec<Fault>) {
        let length = items.len();
        if let Some(least) = limit(node, "minItems").filter(|&least| length < least) {
            faults
                .push(Fault::must(at, format!("must have at least {}, has {length}", plural(least, "item", "items"))));
        }
        if let Some(most) = limit(node, "maxItems").filter(|&most| length > most) {
            faults.push(Fault::must(at, format!("must have at most {}, has {length}", plural(most, "item", "items"))));
        }
        if node.get("uniqueItems").is_some_and(|unique| unique == true) {
            visit_unique(items, at, faults);
        }
        self.visit_items(node, items, at, faults);
        self.visit_contains(node, items, at, faults);
    }

    fn visit_items(&mut self, node: &Node, items: &[Value], at: &Pointer, faults: &mut Vec<Fault>) {
        // Draft-07 writes a tuple as a list in `items`, and the rest as `additionalItems`.
        let (first, rest) = match node.get("items") {
            Some(Value::Array(first)) => (first.as_slice(), node.get("additionalItems")),
            rest => (self.get(node, "prefixItems").and_then(Value::as_array).map_or(&[][..], Vec::as_slice), rest),
        };
        for (index, item) in items.iter().enumerate() {
            if faults.len() > MAX_FAULTS {
                return;
            }
            match first.get(index).or(rest) {
                Some(Value::Bool(false)) => {
                    let most = plural(index, "item", "items");
                    faults.push(Fault::must(at, format!("must have at most {most}, has {}", items.len())));
                    return;
                }
                Some(schema) => self.visit(schema, item, &at.index(index), faults),
                None => {}
            }
        }
    }

    fn visit_contains(&mut self, node: &Node, items: &[Value], at: &Pointer, faults: &mut Vec<Fault>) {
        let Some(schema) = node.get("contains") else { return };
        let found =
            items.iter().enumerate().filter(|(index, item)| self.holds(schema, item, &at.index(*index))).count();
        let least = self.get(node, "minContains").and_then(|_| limit(node, "minContains")).unwrap_or(1);
        if found < least {
            let what = plural(least, "item", "items");
            faults.push(Fault::must(at, format!("must hold at least {what} that match \"contains\", has {found}")));
        }
        if let Some(most) =
            self.get(node, "maxContains").and_then(|_| limit(node, "maxContains")).filter(|&most| found > most)
        {
            let what = plural(most, "item", "items");
            faults.push(Fault::must(at, format!("must hold at most {what} that match \"contains\", has {found}")));
        }
    }
}

fn visit_unique(items: &[Value], at: &Pointer, faults: &mut Vec<Fault>) {
    let mut first = HashMap::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let earlier = *first.entry(canonical::key(item)).or_insert(index);
        if earlier != index {
            faults.push(Fault::must(at, format!("must not repeat an item: {index} is the same as {earlier}")));
            return;
        }
    }
}
