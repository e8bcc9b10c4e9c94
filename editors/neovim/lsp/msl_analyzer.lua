---@brief
---
--- https://github.com/msl-analyzer/msl-analyzer
---
--- Language server for Apple's Metal Shading Language (MSL 1.0 to 4.1): address spaces, diagnostics, migration.
---
--- Install with `cargo install --git https://github.com/msl-analyzer/msl-analyzer msl-analyzer`, or take a binary
--- from the releases. Neovim does not know `*.metal` by itself:
---
--- ```lua
--- vim.filetype.add({ extension = { metal = 'metal' } })
--- vim.lsp.enable('msl_analyzer')
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'msl-analyzer', 'lsp' },
  filetypes = { 'metal' },
  root_markers = { 'msl-analyzer.toml', 'compile_commands.json', '.git' },
  settings = { ['msl-analyzer'] = {} },
}
