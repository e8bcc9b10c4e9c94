//! How each file of a workspace is compiled and judged: configuration file, build files, command line.
//!
//! The nearest `msl-analyzer.toml` in a file's folder or above it holds for the file, so that a repository with
//! several shader trees can have several. Precedence, from the strongest: command line, configuration (the last
//! override whose globs match the file, then the top of the file), what build files say, the default.
//!
//! Both front ends use this: nothing here knows of either.

mod compile_commands;
mod config;
pub(crate) mod links;
mod project_files;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use msl_diagnostics::Levels;
use msl_ide::{Define, StdChoice, UnitOptions, UnitRequest, file_system};
use msl_preproc::LanguageVersion;
use msl_project::Project;
use rustc_hash::FxHashMap;

pub(crate) use project_files::DiskTree;

pub(crate) use config::{CONFIG_FILE, Config, ConfigError, HotLoop, parse_std};

use self::compile_commands::CompileCommands;

/// What the command line (or the settings of an editor) says; it wins over everything else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Explicit {
    /// Several versions: the file is judged under each.
    pub(crate) std: Vec<LanguageVersion>,
    /// Where `std` and the rest come from, in the user's words.
    pub(crate) source: Arc<str>,
    pub(crate) include_dirs: Vec<String>,
    pub(crate) framework_dirs: Vec<String>,
    pub(crate) defines: Vec<Define>,
    pub(crate) forced_includes: Vec<String>,
    pub(crate) levels: Levels,
    /// Read instead of the nearest configuration file.
    pub(crate) config: Option<PathBuf>,
}

/// How one file is compiled and judged.
#[derive(Clone, Debug)]
pub(crate) struct FileSettings {
    /// At least one; more only if several were asked for.
    pub(crate) std: Vec<StdChoice>,
    pub(crate) options: UnitOptions,
    pub(crate) levels: Levels,
    pub(crate) hot_loop: HotLoop,
    /// The configuration file that was read.
    pub(crate) config: Option<PathBuf>,
    /// The build files that were read.
    pub(crate) build_files: Vec<PathBuf>,
    /// Every place that states a version, the one in force first.
    pub(crate) std_candidates: Vec<StdChoice>,
}

impl FileSettings {
    /// The units to analyse for this file.
    pub(crate) fn requests(&self, path: &Arc<str>) -> Vec<UnitRequest> {
        let request = |std: &StdChoice| UnitRequest {
            path: path.clone(),
            std: std.clone(),
            options: UnitOptions { version: std.version, ..self.options.clone() },
            thresholds: self.hot_loop.thresholds(),
        };
        self.std.iter().map(request).collect()
    }
}

/// Settings of files, with the configuration and build files behind them read once.
pub(crate) struct Workspace {
    explicit: Explicit,
    /// By folder: the configuration that holds for its files.
    configs: FxHashMap<PathBuf, Option<Arc<Config>>>,
    commands: FxHashMap<PathBuf, Option<Arc<CompileCommands>>>,
    /// By root: what the build files below it say.
    projects: FxHashMap<String, Arc<Project>>,
}

impl Workspace {
    /// Fails only if a configuration file that was named cannot be used.
    pub(crate) fn new(explicit: Explicit) -> Result<Workspace, ConfigError> {
        let mut workspace = Workspace {
            explicit,
            configs: FxHashMap::default(),
            commands: FxHashMap::default(),
            projects: FxHashMap::default(),
        };
        if let Some(path) = workspace.explicit.config.clone() {
            let config = Arc::new(Config::read(&path)?);
            workspace.configs.insert(PathBuf::new(), Some(config));
        }
        Ok(workspace)
    }

    /// The settings of the file at a normalised path.
    pub(crate) fn settings(&mut self, path: &str) -> Result<FileSettings, ConfigError> {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
        let config = self.config_for(&absolute)?;
        let commands = self.commands_for(&absolute);
        let command = commands.as_ref().and_then(|commands| commands.find(&absolute));

        let mut options = UnitOptions::new(LanguageVersion::DEFAULT);
        let mut levels = Levels::default();
        let mut hot_loop = HotLoop::default();
        let mut candidates = Vec::new();
        let stated = |version, source: String| StdChoice { version, source: source.into(), stated: true };

        let explicit = &self.explicit;
        options.include_dirs.extend(explicit.include_dirs.iter().map(|dir| Arc::from(file_system::normalize(dir))));
        options.framework_dirs.extend(explicit.framework_dirs.iter().map(|dir| Arc::from(file_system::normalize(dir))));
        candidates.extend(explicit.std.iter().map(|&version| stated(version, explicit.source.to_string())));

        if let Some(config) = &config {
            let layers = config.layers(&absolute);
            for layer in layers.iter().rev() {
                options.include_dirs.extend(layer.includes.iter().map(|dir| Arc::from(config.resolve(dir))));
                options.framework_dirs.extend(layer.frameworks.iter().map(|dir| Arc::from(config.resolve(dir))));
                if let Some((version, line)) = layer.std {
                    candidates.push(stated(version, format!("{}:{line}", config.display_path())));
                }
            }
            for layer in &layers {
                levels.extend(&layer.levels);
                hot_loop = hot_loop.or(layer.hot_loop);
            }
        }
        if let Some(command) = &command {
            options.include_dirs.extend(command.include_dirs.iter().map(|dir| Arc::from(dir.as_str())));
            options.framework_dirs.extend(command.framework_dirs.iter().map(|dir| Arc::from(dir.as_str())));
            options.defines.extend(command.defines.iter().cloned());
            options.forced_includes.extend(command.forced_includes.iter().map(|path| Arc::from(path.as_str())));
            if let Some((version, line, spelling)) = &command.std {
                candidates.push(stated(*version, format!("{}:{line} {spelling}", display(&command.file))));
            }
        }
        if let Some(config) = &config {
            for layer in config.layers(&absolute) {
                options.defines.extend(layer.defines.iter().cloned());
                options
                    .forced_includes
                    .extend(layer.forced_includes.iter().map(|path| Arc::from(config.resolve(path))));
            }
        }
        let root = project_root(&absolute, config.as_deref());
        let mut build_files: Vec<PathBuf> = commands.map(|commands| commands.path.clone()).into_iter().collect();
        if candidates.is_empty()
            && let Some((choice, build_file)) = self.version_of_builds(&absolute, root.as_deref())
        {
            candidates.push(choice);
            build_files.push(build_file);
        }
        let explicit = &self.explicit;
        options.defines.extend(explicit.defines.iter().cloned());
        options
            .forced_includes
            .extend(explicit.forced_includes.iter().map(|path| Arc::from(file_system::normalize(path))));
        levels.extend(&explicit.levels);

        let std = match explicit.std.len() {
            0 => vec![candidates.first().cloned().unwrap_or_else(StdChoice::unstated)],
            several => candidates[..several].to_vec(),
        };
        options.version = std[0].version;
        // Who calls a function matters where pointers are generic.
        if std.iter().any(|choice| choice.version.has_generic_pointers()) {
            options.is_dynamic_library = self
                .builds_of(&absolute, root.as_deref())
                .is_some_and(|project| project.is_in_dynamic_library(&file_system::normalize(&display(&absolute))));
        }
        options.project_root = root.map(Arc::from);
        Ok(FileSettings {
            std,
            options,
            levels,
            hot_loop,
            config: config.map(|config| config.path.clone()),
            build_files,
            std_candidates: candidates,
        })
    }

    /// What the build files below the project's folder say about shader sources.
    fn builds_of(&mut self, file: &Path, root: Option<&str>) -> Option<Arc<Project>> {
        // Headers are built as whoever includes them is, and other files are not.
        let is_source = file.extension().is_some_and(|extension| extension == "metal" || extension == "msl");
        let root = root.filter(|_| is_source)?;
        let read = || Arc::new(Project::load_builds(root, &DiskTree));
        Some(self.projects.entry(root.to_owned()).or_insert_with(read).clone())
    }

    /// The version that the build files below the project's folder give a shader source, and the file that says so.
    fn version_of_builds(&mut self, file: &Path, root: Option<&str>) -> Option<(StdChoice, PathBuf)> {
        let project = self.builds_of(file, root)?;
        let detected = project.version_of(&file_system::normalize(&display(file)))?;
        let evidence = detected.evidence.first()?;
        let line = evidence.line.map(|line| format!(":{line}")).unwrap_or_default();
        let source = format!("{}{line} {}", evidence.path, evidence.message);
        let choice = StdChoice { version: detected.std, source: source.into(), stated: true };
        Some((choice, PathBuf::from(&*evidence.path)))
    }

    fn config_for(&mut self, file: &Path) -> Result<Option<Arc<Config>>, ConfigError> {
        if self.explicit.config.is_some() {
            return Ok(self.configs[Path::new("")].clone());
        }
        let Some(folder) = file.parent() else { return Ok(None) };
        if let Some(known) = self.configs.get(folder) {
            return Ok(known.clone());
        }
        let found = folder.ancestors().map(|folder| folder.join(CONFIG_FILE)).find(|path| path.is_file());
        let config = match found {
            Some(path) => {
                let of_its_folder = path.parent().and_then(|folder| self.configs.get(folder).cloned().flatten());
                Some(match of_its_folder {
                    Some(config) => config,
                    None => Arc::new(Config::read(&path)?),
                })
            }
            None => None,
        };
        self.configs.insert(folder.to_path_buf(), config.clone());
        Ok(config)
    }

    fn commands_for(&mut self, file: &Path) -> Option<Arc<CompileCommands>> {
        let folder = file.parent()?;
        if let Some(known) = self.commands.get(folder) {
            return known.clone();
        }
        // Where build systems put it: beside the sources, or in the build folder below them.
        let found = folder
            .ancestors()
            .flat_map(|folder| [folder.join("compile_commands.json"), folder.join("build/compile_commands.json")])
            .find(|path| path.is_file());
        let commands = found.and_then(|path| CompileCommands::read(&path)).map(Arc::new);
        self.commands.insert(folder.to_path_buf(), commands.clone());
        commands
    }
}

/// The folder of the project that a file belongs to: that of its configuration, else the repository, else the current
/// folder if the file is below it.
fn project_root(file: &Path, config: Option<&Config>) -> Option<String> {
    let of_config = config.and_then(|config| config.path.parent());
    let here = std::env::current_dir().ok();
    let root = of_config
        .or_else(|| file.ancestors().skip(1).find(|folder| folder.join(".git").exists()))
        .or_else(|| here.as_deref().filter(|here| file.starts_with(here)))?;
    Some(file_system::normalize(&display(root)))
}

/// A path as a user would type it from the current folder.
pub(crate) fn display(path: &Path) -> String {
    let shown = match std::env::current_dir() {
        Ok(here) => path.strip_prefix(&here).unwrap_or(path),
        Err(_) => path,
    };
    shown.to_string_lossy().replace('\\', "/")
}
