//! Names that shaders and host code share: functions, groups, function constants, indices of resources.

use std::sync::Arc;

use msl_diagnostics::Place;
use msl_project::{BindingKind, NameRole};

use super::program::LinkProgram;

/// A shared name and where it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkName {
    pub kind: LinkNameKind,
    /// Inside quotes, if it stands in a string.
    pub place: Place,
    /// Whether it was found in host code.
    pub is_host: bool,
}

/// What a shared name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkNameKind {
    Function(String),
    Group(String),
    Constant(String),
    /// An index of an argument table.
    Slot(BindingKind, u64),
}

impl LinkProgram {
    /// The shared name at a position.
    pub fn name_at(&self, path: &Arc<str>, offset: u32) -> Option<LinkName> {
        let holds = |place: &Place| place.path == *path && place.range.start <= offset && offset <= place.range.end;
        let found = |kind, place: &Place, is_host| Some(LinkName { kind, place: place.clone(), is_host });
        if let Some(host) = self.hosts.iter().find(|host| host.path == *path) {
            if let Some(name) = host.names.iter().find(|name| holds(&name.place)) {
                let text = name.text.clone();
                let kind = match name.role {
                    NameRole::Function => LinkNameKind::Function(text),
                    NameRole::Group => LinkNameKind::Group(text),
                    NameRole::Constant => LinkNameKind::Constant(text),
                    // The host's own name for it.
                    NameRole::SpecializedFunction => return None,
                };
                return found(kind, &name.place, true);
            }
            let binding = host.bindings.iter().find(|binding| holds(&binding.place))?;
            return found(LinkNameKind::Slot(binding.kind, binding.index), &binding.place, true);
        }
        if let Some(group) = self.groups.iter().find(|group| holds(&group.place)) {
            return found(LinkNameKind::Group(group.name.clone()), &group.place, false);
        }
        if let Some(constant) = self.constants.iter().find(|constant| holds(&constant.place)) {
            return found(LinkNameKind::Constant(constant.name.clone()), &constant.place, false);
        }
        for function in self.functions.iter().filter(|function| function.kind.has_library_name()) {
            let place = [Some(&function.place), function.host_name.as_ref()].into_iter().flatten().find(|it| holds(it));
            if let Some(place) = place {
                return found(LinkNameKind::Function(function.name.clone()), place, false);
            }
        }
        None
    }

    /// Where shaders define what a name means.
    pub fn definitions(&self, kind: &LinkNameKind) -> Vec<Place> {
        let mut places: Vec<Place> = match kind {
            LinkNameKind::Function(name) => {
                self.named(name).into_iter().map(|index| self.functions[index].place.clone()).collect()
            }
            LinkNameKind::Group(name) => self.named_groups(name),
            LinkNameKind::Constant(name) => {
                self.constants.iter().filter(|it| it.name == *name).map(|it| it.place.clone()).collect()
            }
            LinkNameKind::Slot(kind, index) => {
                let slots = self.functions.iter().flat_map(|function| &function.slots);
                slots.filter(|slot| slot.kind == *kind && slot.index == *index).map(|slot| slot.place.clone()).collect()
            }
        };
        places.sort();
        places.dedup();
        places
    }

    /// Where host code uses a name.
    pub fn host_places(&self, kind: &LinkNameKind) -> Vec<Place> {
        let of_role = |role: NameRole, name: &str| -> Vec<Place> {
            let names = self.hosts.iter().flat_map(|host| &host.names);
            names.filter(|it| it.role == role && it.text == name).map(|it| it.place.clone()).collect()
        };
        match kind {
            LinkNameKind::Function(name) => of_role(NameRole::Function, name),
            LinkNameKind::Group(name) => of_role(NameRole::Group, name),
            LinkNameKind::Constant(name) => of_role(NameRole::Constant, name),
            LinkNameKind::Slot(kind, index) => {
                let bindings = self.hosts.iter().flat_map(|host| &host.bindings);
                bindings.filter(|it| it.kind == *kind && it.index == *index).map(|it| it.place.clone()).collect()
            }
        }
    }

    /// Where shaders spell a group.
    pub fn named_groups(&self, name: &str) -> Vec<Place> {
        self.groups.iter().filter(|group| group.name == name).map(|group| group.place.clone()).collect()
    }
}
