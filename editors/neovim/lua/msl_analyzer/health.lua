--- `:checkhealth msl_analyzer`
local M = {}

function M.check()
  local health, msl = vim.health, require('msl_analyzer')

  health.start('msl-analyzer: server')
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. tostring(vim.version()))
  else
    health.error('Neovim 0.11 or newer is needed')
  end
  local executable = msl.executable()
  if vim.fn.executable(executable) == 1 then
    local result = vim.system({ executable, '--version' }, { text = true }):wait(5000)
    if result.code == 0 then
      health.ok(('%s: %s'):format(vim.fn.exepath(executable), vim.trim(result.stdout)))
    else
      health.error(('`%s --version` fails: %s'):format(executable, result.stderr))
    end
  else
    health.error(('`%s` is not on the search path'):format(executable), {
      'cargo install --git https://github.com/msl-analyzer/msl-analyzer msl-analyzer',
      "or name it: vim.lsp.config('msl_analyzer', { cmd = { '/path/to/msl-analyzer', 'lsp' } })",
    })
  end
  if vim.lsp.is_enabled and not vim.lsp.is_enabled('msl_analyzer') then
    health.warn('the server is not enabled', "vim.lsp.enable('msl_analyzer')")
  end
  local clients = vim.lsp.get_clients({ name = 'msl_analyzer' })
  for _, client in ipairs(clients) do
    health.ok(('client %d serves %s'):format(client.id, client.root_dir or 'single files'))
  end
  if #clients == 0 then
    health.info('no server is running; it starts with the first Metal file')
  end

  health.start('msl-analyzer: syntax')
  local file_type = vim.filetype.match({ filename = 'a.metal' })
  if file_type == 'metal' then
    health.ok('*.metal is recognised')
  else
    health.error('*.metal has the file type ' .. tostring(file_type))
  end
  if not vim.treesitter.language.add('metal') then
    health.warn('there is no tree-sitter parser; semantic highlighting works without', 'run `:Msl parser`')
    return
  end
  health.ok('the parser is loaded')
  for _, kind in ipairs({ 'highlights', 'folds', 'indents', 'injections', 'locals', 'textobjects' }) do
    if #vim.treesitter.query.get_files('metal', kind) == 0 then
      health.warn('no query for ' .. kind)
    else
      local ok, failure = pcall(vim.treesitter.query.get, 'metal', kind)
      if ok then
        health.ok('query for ' .. kind)
      else
        health.error(('the query for %s does not fit the parser: %s'):format(kind, failure))
      end
    end
  end
end

return M
