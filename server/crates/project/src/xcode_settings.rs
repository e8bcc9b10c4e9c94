//! Build settings of Xcode, whatever file they stand in: layers from the weakest to the strongest, conditions on keys,
//! references to other settings.

use crate::{
    command::{Detection, Fact, Spelled, SpelledForm, version_of_flags},
    text::Text,
    version::{DeploymentTarget, System, from_revision},
};

/// How deep settings may refer to each other.
const MAX_DEPTH: u32 = 16;

/// Settings of one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    settings: Vec<Setting>,
}

#[derive(Clone, Debug)]
struct Setting {
    key: String,
    /// The SDK pattern of `KEY[sdk=pattern]`.
    sdk: Option<String>,
    value: Text,
}

impl Layer {
    /// Adds a setting; the key may carry conditions.
    pub(crate) fn add(&mut self, key: &str, value: Text) {
        let (name, conditions) = key.split_once('[').unwrap_or((key, ""));
        let mut sdk = None;
        for condition in conditions.split(['[', ',']) {
            match condition.trim_end_matches(']').split_once('=') {
                Some(("sdk", pattern)) => sdk = Some(pattern.to_owned()),
                // Other conditions hold for a part of the builds that nothing here tells apart.
                Some(_) => return,
                None => {}
            }
        }
        self.settings.push(Setting { key: name.trim().to_owned(), sdk, value });
    }
}

/// The systems that settings can be resolved for, with the prefix of their SDKs and the setting of their target.
const SYSTEMS: &[(System, &str, &str)] = &[
    (System::MacOs, "macosx", "MACOSX_DEPLOYMENT_TARGET"),
    (System::Ios, "iphoneos", "IPHONEOS_DEPLOYMENT_TARGET"),
    (System::TvOs, "appletvos", "TVOS_DEPLOYMENT_TARGET"),
    (System::VisionOs, "xros", "XROS_DEPLOYMENT_TARGET"),
];

/// What layers say about the language version: one detection for each system that they tell apart.
pub(crate) fn detect(layers: &[&Layer]) -> Vec<(Option<System>, Detection)> {
    let sdk_root = resolve(layers, "SDKROOT", None).and_then(|text| text.value());
    let systems: Vec<System> = match sdk_root.as_deref().and_then(System::parse) {
        Some(system) => vec![system],
        None => SYSTEMS
            .iter()
            .filter(|(system, _, key)| resolve(layers, key, Some(*system)).is_some())
            .map(|(system, ..)| *system)
            .collect(),
    };
    let mut found: Vec<(Option<System>, Detection)> = Vec::new();
    if systems.is_empty() {
        found.extend(detect_for(layers, None).map(|detection| (None, detection)));
    }
    for system in systems {
        if let Some(detection) = detect_for(layers, Some(system)) {
            let is_known =
                found.iter().any(|(_, other)| other.std == detection.std && other.evidence == detection.evidence);
            if !is_known {
                found.push((Some(system), detection));
            }
        }
    }
    found
}

fn detect_for(layers: &[&Layer], system: Option<System>) -> Option<Detection> {
    let deployment = system.and_then(|system| deployment_of(layers, system));
    let stated = deployment.as_ref().map(|(target, _)| *target);
    if let Some(flags) = resolve(layers, "MTL_COMPILER_FLAGS", system)
        && let Some(mut version) = version_of_flags(&flags.split_whitespace())
        && version.std.is_some()
    {
        version.deployment = version.deployment.or(stated);
        return Some(version);
    }
    let revision = resolve(layers, "MTL_LANGUAGE_REVISION", system);
    if let Some(revision) = revision.filter(|text| text.text() != "UseDeploymentTarget" && !text.is_empty()) {
        let origin = revision.origin()?;
        let Some(text) = revision.value() else {
            return Some(Detection::unknown(
                origin,
                format!("MTL_LANGUAGE_REVISION = {} is not known", revision.spelling()),
            ));
        };
        let mut evidence = vec![Fact { origin, message: format!("MTL_LANGUAGE_REVISION = {text}") }];
        evidence.extend(deployment.map(|(_, fact)| fact));
        let spelled = Some(Spelled { origin, form: SpelledForm::Revision });
        return Some(Detection { std: from_revision(&text, system), deployment: stated, evidence, spelled });
    }
    let (target, fact) = deployment?;
    Some(Detection::of_deployment(target, vec![fact]))
}

fn deployment_of(layers: &[&Layer], system: System) -> Option<(DeploymentTarget, Fact)> {
    let (_, _, key) = SYSTEMS.iter().find(|(other, ..)| *other == system)?;
    let value = resolve(layers, key, Some(system))?;
    let target = DeploymentTarget::parse(system, &value.value()?)?;
    let default = target.default_version().map_or("not known".to_owned(), |version| version.to_string());
    let message = format!("{key} = {}: the default of {target} is {default}", value.text());
    Some((target, Fact { origin: value.origin()?, message }))
}

/// The value of a setting.
fn resolve(layers: &[&Layer], key: &str, system: Option<System>) -> Option<Text> {
    resolve_below(layers, layers.len(), key, system, 0)
}

/// The value that the layers below `limit` give.
fn resolve_below(layers: &[&Layer], limit: usize, key: &str, system: Option<System>, depth: u32) -> Option<Text> {
    if depth > MAX_DEPTH {
        return None;
    }
    for index in (0..limit).rev() {
        let fits = |setting: &&Setting| {
            setting.key == key
                && setting.sdk.as_ref().is_none_or(|pattern| {
                    let name = SYSTEMS.iter().find(|(other, ..)| Some(*other) == system).map(|(_, name, _)| *name);
                    name.is_some_and(|name| crate::paths::glob_matches(pattern, name))
                })
        };
        // A condition makes a setting stronger than one without, wherever they stand in the layer.
        let of_layer = || layers[index].settings.iter().rev().filter(fits);
        let found = of_layer().find(|setting| setting.sdk.is_some()).or_else(|| of_layer().next());
        if let Some(setting) = found {
            return Some(expand(layers, index, &setting.value, key, system, depth));
        }
    }
    None
}

/// Fills in `$(NAME)`; `$(inherited)` is the value of the layers below.
fn expand(layers: &[&Layer], level: usize, value: &Text, key: &str, system: Option<System>, depth: u32) -> Text {
    let text = value.text();
    let mut result = Text::default();
    let mut start = 0;
    while let Some(open) = text[start..].find("$(").or_else(|| text[start..].find("${")).map(|at| start + at) {
        let close_character = if text.as_bytes()[open + 1] == b'(' { ')' } else { '}' };
        let Some(close) = text[open..].find(close_character).map(|at| open + at) else { break };
        result.push_text(&value.slice(start..open));
        let name = text[open + 2..close].split(':').next().unwrap_or_default();
        let inner = match name {
            "inherited" => Some(resolve_below(layers, level, key, system, depth + 1).unwrap_or_default()),
            name if name == key => resolve_below(layers, level, key, system, depth + 1),
            name => resolve_below(layers, layers.len(), name, system, depth + 1),
        };
        match (inner, value.slice(open..close + 1).origin()) {
            (Some(inner), _) => result.push_text(&inner),
            (None, Some(origin)) => {
                result.push_unknown(&text[open..close + 1], origin, crate::text::Known::NotTheWords);
            }
            (None, None) => {}
        }
        start = close + 1;
    }
    result.push_text(&value.slice(start..text.len()));
    result
}
