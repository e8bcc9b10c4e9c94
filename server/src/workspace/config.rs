//! `msl-analyzer.toml`.
//!
//! ```toml
//! std = "metal4.1"                   # the language version
//! includes = ["include"]             # like -I, relative to this file
//! frameworks = ["Frameworks"]        # like -F, relative to this file
//! defines = ["DEBUG", "WIDTH=32"]    # like -D
//! forced-includes = ["prefix.h"]     # like -include
//!
//! [severities]                       # codes, groups, "warnings" or "all"
//! performance = "error"
//! unannotated-member-function = "warning"
//!
//! [hot-loop]
//! small-trip-count = 4               # loops that run at most so often are not hot
//!
//! [[override]]                       # later ones win
//! files = ["legacy/**/*.metal"]      # globs, relative to this file
//! std = "macos-metal2.4"
//! ```

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use msl_diagnostics::{Level, Levels, Selector};
use msl_ide::{Define, Thresholds, file_system};
use msl_preproc::LanguageVersion;
use serde::Deserialize;
use toml::Spanned;

/// The name of the configuration file.
pub(crate) const CONFIG_FILE: &str = "msl-analyzer.toml";

/// A configuration file that cannot be used, and why.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConfigError {
    pub(crate) path: PathBuf,
    pub(crate) message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", super::display(&self.path), self.message.trim_end())
    }
}

/// A configuration file.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) path: PathBuf,
    top: Layer,
    overrides: Vec<(GlobSet, Layer)>,
}

/// What one part of the file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layer {
    /// With the line it stands on, from 1.
    pub(crate) std: Option<(LanguageVersion, usize)>,
    pub(crate) includes: Vec<String>,
    pub(crate) frameworks: Vec<String>,
    pub(crate) defines: Vec<Define>,
    pub(crate) forced_includes: Vec<String>,
    pub(crate) levels: Levels,
    pub(crate) hot_loop: HotLoop,
}

/// When a loop is hot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct HotLoop {
    /// A loop with a constant trip count up to this one is not hot; 4 unless set.
    pub(crate) small_trip_count: Option<u64>,
}

impl HotLoop {
    /// What `stronger` says, else what this says.
    pub(crate) fn or(self, stronger: HotLoop) -> HotLoop {
        HotLoop { small_trip_count: stronger.small_trip_count.or(self.small_trip_count) }
    }

    /// What holds, with the defaults for what nothing states.
    pub(crate) fn thresholds(self) -> Thresholds {
        let default = Thresholds::default();
        Thresholds { small_trip_count: self.small_trip_count.unwrap_or(default.small_trip_count) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawConfig {
    std: Option<Spanned<String>>,
    #[serde(default)]
    includes: Vec<String>,
    #[serde(default)]
    frameworks: Vec<String>,
    #[serde(default)]
    defines: Vec<String>,
    #[serde(default)]
    forced_includes: Vec<String>,
    #[serde(default)]
    severities: toml::Table,
    #[serde(default)]
    hot_loop: HotLoop,
    #[serde(default, rename = "override")]
    overrides: Vec<RawOverride>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawOverride {
    files: Vec<String>,
    std: Option<Spanned<String>>,
    #[serde(default)]
    includes: Vec<String>,
    #[serde(default)]
    frameworks: Vec<String>,
    #[serde(default)]
    defines: Vec<String>,
    #[serde(default)]
    forced_includes: Vec<String>,
    #[serde(default)]
    severities: toml::Table,
    #[serde(default)]
    hot_loop: HotLoop,
}

impl Config {
    pub(crate) fn read(path: &Path) -> Result<Config, ConfigError> {
        let fail = |error: io::Error| ConfigError { path: path.to_path_buf(), message: error.to_string() };
        let path = std::path::absolute(path).map_err(fail)?;
        let text = std::fs::read_to_string(&path).map_err(fail)?;
        Config::parse(&path, &text).map_err(|message| ConfigError { path, message })
    }

    fn parse(path: &Path, text: &str) -> Result<Config, String> {
        let raw: RawConfig = toml::from_str(text).map_err(|error| error.to_string())?;
        let top = Layer {
            std: read_std(text, raw.std.as_ref())?,
            includes: raw.includes,
            frameworks: raw.frameworks,
            defines: raw.defines.iter().map(|define| Define::parse(define)).collect(),
            forced_includes: raw.forced_includes,
            levels: read_levels(&raw.severities)?,
            hot_loop: raw.hot_loop,
        };
        let mut overrides = Vec::new();
        for raw in raw.overrides {
            let mut globs = GlobSetBuilder::new();
            for glob in &raw.files {
                let glob = GlobBuilder::new(glob).literal_separator(true).build().map_err(|error| error.to_string())?;
                globs.add(glob);
            }
            let layer = Layer {
                std: read_std(text, raw.std.as_ref())?,
                includes: raw.includes,
                frameworks: raw.frameworks,
                defines: raw.defines.iter().map(|define| Define::parse(define)).collect(),
                forced_includes: raw.forced_includes,
                levels: read_levels(&raw.severities)?,
                hot_loop: raw.hot_loop,
            };
            overrides.push((globs.build().map_err(|error| error.to_string())?, layer));
        }
        Ok(Config { path: path.to_path_buf(), top, overrides })
    }

    /// What holds for a file, from the weakest: the top of the file, then each override that matches.
    pub(crate) fn layers(&self, file: &Path) -> Vec<&Layer> {
        let relative = file.strip_prefix(self.folder()).unwrap_or(file);
        let matching = self.overrides.iter().filter(|(globs, _)| globs.is_match(relative)).map(|(_, layer)| layer);
        std::iter::once(&self.top).chain(matching).collect()
    }

    /// A path in the file, as seen from the current folder.
    pub(crate) fn resolve(&self, path: &str) -> String {
        file_system::join(&super::display(&self.folder()), path)
    }

    pub(crate) fn display_path(&self) -> String {
        super::display(&self.path)
    }

    fn folder(&self) -> PathBuf {
        self.path.parent().map(Path::to_path_buf).unwrap_or_default()
    }
}

fn read_std(text: &str, std: Option<&Spanned<String>>) -> Result<Option<(LanguageVersion, usize)>, String> {
    let Some(std) = std else { return Ok(None) };
    let line = text[..std.span().start].matches('\n').count() + 1;
    match parse_std(std.get_ref()) {
        Ok(version) => Ok(Some((version, line))),
        Err(message) => Err(format!("line {line}: {message}")),
    }
}

/// Reads a language version as the compiler spells it; the error names the spelling that works.
pub(crate) fn parse_std(text: &str) -> Result<LanguageVersion, String> {
    if let Some(version) = LanguageVersion::parse(text) {
        return Ok(version);
    }
    let bare = text.trim().trim_start_matches("-std=");
    if LanguageVersion::parse(&format!("macos-{bare}")).is_some() {
        return Err(format!(
            "`{bare}` is not a language version: below 3.0 the name carries the platform, `macos-{bare}` or `ios-{bare}`"
        ));
    }
    Err(format!(
        "`{bare}` is not a language version; known are macos-metal1.0 … macos-metal2.4, ios-metal1.0 … ios-metal2.4 and \
         metal3.0 … metal4.1"
    ))
}

fn read_levels(table: &toml::Table) -> Result<Levels, String> {
    let mut levels = Levels::default();
    for (name, value) in table {
        let selector = Selector::parse(name)
            .ok_or_else(|| format!("`{name}` under [severities] is neither a diagnostic code nor a group"))?;
        let level = value.as_str().and_then(Level::parse).ok_or_else(|| {
            format!(
                "`{name}` under [severities] must be \"allow\", \"hint\", \"information\", \"warning\" or \"error\""
            )
        })?;
        levels.set(selector, level);
    }
    Ok(levels)
}

#[cfg(test)]
mod tests {
    use msl_diagnostics::{Code, Severity};

    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(Path::new("/w/msl-analyzer.toml"), text)
    }

    #[test]
    fn overrides_lie_on_top_for_the_files_they_match() {
        let config = parse(
            "std = \"metal4.1\"\ndefines = [\"A\", \"B=2\"]\n[severities]\nperformance = \"error\"\n\
             [[override]]\nfiles = [\"legacy/**/*.metal\"]\nstd = \"macos-metal2.4\"\n",
        )
        .unwrap();
        assert_eq!(config.layers(Path::new("/w/new/a.metal")).len(), 1);
        let layers = config.layers(Path::new("/w/legacy/deep/a.metal"));
        assert_eq!(layers.len(), 2);
        assert_eq!(layers[0].std.map(|(version, line)| (version.to_string(), line)), Some(("metal4.1".into(), 1)));
        assert_eq!(
            layers[1].std.map(|(version, line)| (version.to_string(), line)),
            Some(("macos-metal2.4".into(), 7))
        );
        assert_eq!(layers[0].defines[1], Define { name: "B".into(), value: Some("2".into()) });
        assert_eq!(layers[0].levels.severity(Code::GenericPointerInHotLoop, Severity::Warning), Some(Severity::Error));
        assert_eq!(config.resolve("../x"), "/x");
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text| parse(text).unwrap_err();
        assert!(message("std = \"metal2.4\"").contains("macos-metal2.4"));
        assert!(message("\nstd = \"c++17\"").starts_with("line 2: `c++17` is not a language version"));
        assert!(message("standard = 1").contains("unknown field `standard`"));
        assert!(message("[severities]\nfoo = \"error\"").contains("`foo`"));
        assert!(message("[severities]\nabi = \"loud\"").contains("\"warning\""));
    }
}
