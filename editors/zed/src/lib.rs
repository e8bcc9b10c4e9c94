//! Tells Zed how msl-analyzer is started, and hands the user's settings over.
//!
//! ```json
//! { "lsp": { "msl-analyzer": {
//!     "binary": { "path": "/path/to/msl-analyzer" },
//!     "settings": { "std": "metal4.1" } } } }
//! ```

use zed_extension_api::{
    self as zed, Command, LanguageServerId, Result, Worktree, serde_json::Value, serde_json::json, settings::LspSettings,
};

struct MslAnalyzer;

/// The section of the server's settings.
const SECTION: &str = "msl-analyzer";

impl zed::Extension for MslAnalyzer {
    fn new() -> Self {
        MslAnalyzer
    }

    /// The executable of the settings, else the one on the search path of the project.
    fn language_server_command(&mut self, id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let binary = LspSettings::for_worktree(id.as_ref(), worktree).ok().and_then(|settings| settings.binary);
        let (path, arguments) = binary.map(|binary| (binary.path, binary.arguments)).unwrap_or_default();
        let command = path.or_else(|| worktree.which("msl-analyzer")).ok_or(
            "msl-analyzer is not on the search path: install it with `cargo install msl-analyzer`, or set \
             lsp.msl-analyzer.binary.path",
        )?;
        let args = arguments.unwrap_or_else(|| vec!["lsp".to_owned()]);
        Ok(Command { command, args, env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(settings(id, worktree))
    }

    fn language_server_workspace_configuration(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        Ok(settings(id, worktree).map(|settings| json!({ SECTION: settings })))
    }
}

fn settings(id: &LanguageServerId, worktree: &Worktree) -> Option<Value> {
    LspSettings::for_worktree(id.as_ref(), worktree).ok()?.settings
}

zed::register_extension!(MslAnalyzer);
