//! Which types hold themselves.

use serde_json::Value;

use super::Reader;

impl<'a> Reader<'a> {
    /// Whether a way leads from a schema back to it.
    pub(super) fn is_recursive(&mut self, target: &'a Value) -> bool {
        let address = std::ptr::from_ref(target);
        if let Some(&known) = self.recursive.get(&address) {
            return known;
        }
        let answer = self.reaches_itself(target);
        self.recursive.insert(address, answer);
        answer
    }

    fn reaches_itself(&self, start: &'a Value) -> bool {
        let mut seen: Vec<*const Value> = Vec::new();
        let mut waiting = vec![start];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Object(entries) => {
                    for (key, inner) in entries {
                        match (key.as_str(), inner) {
                            ("$ref", Value::String(reference)) => {
                                let Ok((target, _)) = self.names.resolve(self.root, reference) else { continue };
                                if std::ptr::eq(target, start) {
                                    return true;
                                }
                                let address = std::ptr::from_ref(target);
                                if !seen.contains(&address) {
                                    seen.push(address);
                                    waiting.push(target);
                                }
                            }
                            ("const" | "enum" | "default" | "examples" | "$defs" | "definitions", _) => {}
                            _ => waiting.push(inner),
                        }
                    }
                }
                Value::Array(items) => waiting.extend(items),
                _ => {}
            }
        }
        false
    }
}
