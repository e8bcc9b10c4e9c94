//! What the client asks for, and how each file is compiled and judged because of it.

use std::{path::PathBuf, sync::Arc, sync::Mutex, sync::PoisonError};

use dashmap::DashMap;
use msl_diagnostics::{Level, Levels, Selector};
use msl_ide::{Define, StdChoice, UnitOptions, UnitRequest, file_system};
use msl_preproc::LanguageVersion;
use rustc_hash::FxBuildHasher;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::workspace::{ConfigError, Explicit, FileSettings, HotLoop, Workspace, parse_std};

/// The section of a client's settings that is ours.
pub(crate) const SECTION: &str = "msl-analyzer";

/// The settings of a client, the same keys as those of `msl-analyzer.toml`. Unknown keys are ignored, because clients
/// keep settings of their own in the same section.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct ClientSettings {
    std: Option<String>,
    includes: Vec<String>,
    frameworks: Vec<String>,
    defines: Vec<String>,
    #[serde(alias = "forcedIncludes")]
    forced_includes: Vec<String>,
    severities: Map<String, Value>,
    config: Option<String>,
    #[serde(alias = "inlayHints")]
    pub(crate) inlay_hints: InlayHintSettings,
    #[serde(alias = "clangFormat")]
    clang_format: Option<String>,
    pub(crate) compiler: CompilerSettings,
}

/// A compiler whose findings are shown beside ours. Only the user's own settings name one, because a program is run.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct CompilerSettings {
    /// The program and its first arguments: `["xcrun", "metal"]`. Nothing is run if it is empty.
    pub(crate) command: Vec<String>,
    /// Whether it is given the language version.
    pub(crate) std: bool,
}

impl Default for CompilerSettings {
    fn default() -> CompilerSettings {
        CompilerSettings { command: Vec::new(), std: true }
    }
}

/// Which inlay hints are shown.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(crate) struct InlayHintSettings {
    pub(crate) parameters: bool,
    pub(crate) types: bool,
    /// The spaces that generic pointers can have.
    #[serde(alias = "addressSpaces")]
    pub(crate) address_spaces: bool,
    /// Template arguments that calls leave to deduction.
    #[serde(alias = "templateArguments")]
    pub(crate) template_arguments: bool,
    /// The ids of members of argument buffers that say none.
    pub(crate) slots: bool,
}

impl Default for InlayHintSettings {
    fn default() -> InlayHintSettings {
        InlayHintSettings { parameters: true, types: true, address_spaces: true, template_arguments: true, slots: true }
    }
}

impl ClientSettings {
    /// Reads what a client sent. What is wrong is left out and named in the second part.
    pub(crate) fn read(value: Value) -> (ClientSettings, Vec<String>) {
        if value.is_null() {
            return (ClientSettings::default(), Vec::new());
        }
        match serde_json::from_value::<ClientSettings>(value) {
            Ok(mut settings) => {
                let mut mistakes = Vec::new();
                if let Some(std) = settings.std.take().filter(|std| !std.is_empty()) {
                    match parse_std(&std) {
                        Ok(_) => settings.std = Some(std),
                        Err(message) => mistakes.push(message),
                    }
                }
                (settings, mistakes)
            }
            Err(error) => (ClientSettings::default(), vec![error.to_string()]),
        }
    }

    /// The program that formats.
    pub(crate) fn clang_format(&self) -> &str {
        self.clang_format.as_deref().filter(|program| !program.is_empty()).unwrap_or("clang-format")
    }

    fn explicit(&self, folder: &str) -> Explicit {
        let std: Option<LanguageVersion> = self.std.as_deref().and_then(|std| parse_std(std).ok());
        let mut levels = Levels::default();
        for (name, level) in &self.severities {
            if let (Some(selector), Some(level)) = (Selector::parse(name), level.as_str().and_then(Level::parse)) {
                levels.set(selector, level);
            }
        }
        Explicit {
            std: std.into_iter().collect(),
            source: "editor setting".into(),
            include_dirs: self.includes.iter().map(|dir| file_system::join(folder, dir)).collect(),
            framework_dirs: self.frameworks.iter().map(|dir| file_system::join(folder, dir)).collect(),
            defines: self.defines.iter().map(|define| Define::parse(define)).collect(),
            forced_includes: self.forced_includes.iter().map(|path| file_system::join(folder, path)).collect(),
            levels,
            config: self
                .config
                .as_deref()
                .filter(|path| !path.is_empty())
                .map(|path| PathBuf::from(file_system::join(folder, path))),
        }
    }
}

/// How files are compiled and judged, as of one moment: it is made anew when any source of it changes.
pub(crate) struct Settings {
    pub(crate) client: ClientSettings,
    workspace: Mutex<Option<Workspace>>,
    known: DashMap<Arc<str>, Arc<FileSettings>, FxBuildHasher>,
    /// The working folder, which paths of configuration files may be relative to.
    folder: String,
    /// Configuration files that cannot be used.
    pub(crate) mistakes: Mutex<Vec<ConfigError>>,
}

impl Settings {
    /// `folder` is what relative paths in the client's settings are relative to.
    pub(crate) fn new(client: ClientSettings, folder: &str) -> Settings {
        let mut mistakes = Vec::new();
        let workspace = Workspace::new(client.explicit(folder)).or_else(|error| {
            mistakes.push(error);
            Workspace::new(Explicit { config: None, ..client.explicit(folder) })
        });
        let here = std::env::current_dir().map(|here| here.to_string_lossy().into_owned()).unwrap_or_default();
        Settings {
            client,
            workspace: Mutex::new(workspace.ok()),
            known: DashMap::default(),
            folder: file_system::normalize(&here),
            mistakes: Mutex::new(mistakes),
        }
    }

    /// The settings of a file.
    pub(crate) fn of(&self, path: &Arc<str>) -> Arc<FileSettings> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let mut workspace = self.workspace.lock().unwrap_or_else(PoisonError::into_inner);
        let settings = workspace.as_mut().map(|workspace| workspace.settings(path));
        let mut settings = match settings {
            Some(Ok(settings)) => settings,
            failed => {
                if let Some(Err(error)) = failed {
                    let mut mistakes = self.mistakes.lock().unwrap_or_else(PoisonError::into_inner);
                    if !mistakes.contains(&error) {
                        mistakes.push(error);
                    }
                }
                unstated()
            }
        };
        // Documents have absolute paths, so everything that may name the same files has to.
        let absolute = |paths: &mut Vec<Arc<str>>| {
            for path in paths {
                *path = file_system::join(&self.folder, path).into();
            }
        };
        absolute(&mut settings.options.include_dirs);
        absolute(&mut settings.options.framework_dirs);
        absolute(&mut settings.options.forced_includes);
        let settings = Arc::new(settings);
        self.known.insert(path.clone(), settings.clone());
        settings
    }

    /// The settings of a file if somebody asked for them before: nothing is read, so nobody waits.
    pub(crate) fn known(&self, path: &Arc<str>) -> Option<Arc<FileSettings>> {
        self.known.get(path).map(|known| known.clone())
    }

    /// The unit with this file as its root.
    pub(crate) fn request(&self, path: &Arc<str>) -> UnitRequest {
        self.of(path).requests(path).swap_remove(0)
    }
}

/// What holds for a file whose configuration cannot be used.
fn unstated() -> FileSettings {
    FileSettings {
        std: vec![StdChoice::unstated()],
        options: UnitOptions::new(LanguageVersion::DEFAULT),
        levels: Levels::default(),
        hot_loop: HotLoop::default(),
        config: None,
        build_files: Vec::new(),
        std_candidates: Vec::new(),
    }
}
