//! What names of host code mean. They belong to a block, to a type or to the file.

use rustc_hash::FxHashMap;

use super::{value::Value, walk::Walker};

impl Walker<'_> {
    pub(super) fn declare(&mut self, name: String, value: Value) {
        match self.scopes.last_mut() {
            Some(scope) => {
                scope.insert(name, value);
            }
            None => self.set_member(&name, value),
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Value {
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        local.cloned().unwrap_or_else(|| self.lookup_member(name))
    }

    pub(super) fn lookup_member(&self, name: &str) -> Value {
        let of_type = self.members.get(&self.current_type).and_then(|members| members.get(name));
        let of_file = || self.members.get("").and_then(|members| members.get(name));
        of_type.or_else(of_file).cloned().unwrap_or(Value::Unknown)
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        let innermost = self.scopes.len();
        for (index, scope) in self.scopes.iter_mut().enumerate().rev() {
            if let Some(slot) = scope.get_mut(name) {
                // In a block that may not run, the old value may stay; an empty one is filled.
                let is_branch = index + 1 < innermost;
                let keeps =
                    is_branch && !matches!(slot, Value::Unknown | Value::Nil | Value::Array(..) | Value::Map(..));
                *slot = if keeps { slot.clone().or(value) } else { value };
                return;
            }
        }
        self.set_member(name, value);
    }

    pub(super) fn set_member(&mut self, name: &str, value: Value) {
        self.members.entry(self.current_type.clone()).or_default().insert(name.to_owned(), value);
    }

    /// How many blocks are open, within the function that runs.
    pub(super) fn block_depth(&self) -> usize {
        self.scopes.len()
    }

    pub(super) fn push_scope(&mut self, name: String, value: Value) {
        self.scopes.push(FxHashMap::from_iter([(name, value)]));
    }

    pub(super) fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn take_returned(&mut self) -> Option<Value> {
        self.returned.take()
    }

    pub(super) fn replace_returned(&mut self, before: Option<Value>) -> Option<Value> {
        std::mem::replace(&mut self.returned, before)
    }
}
