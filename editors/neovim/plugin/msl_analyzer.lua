if vim.g.loaded_msl_analyzer then
  return
end
vim.g.loaded_msl_analyzer = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify_once('msl-analyzer needs Neovim 0.11 or newer', vim.log.levels.WARN)
  return
end

local msl = require('msl_analyzer')

-- What the file in lsp/ leaves out, because it stands alone in nvim-lspconfig as well.
vim.lsp.config('msl_analyzer', {
  capabilities = { experimental = { statusNotification = true } },
  handlers = { ['msl-analyzer/status'] = msl.on_status },
})
if vim.g.msl_analyzer_enable ~= false then
  vim.lsp.enable('msl_analyzer')
end

msl.define_highlights()
vim.api.nvim_create_autocmd('ColorScheme', {
  group = vim.api.nvim_create_augroup('msl_analyzer', {}),
  callback = msl.define_highlights,
})

vim.api.nvim_create_user_command('Msl', function(command)
  require('msl_analyzer.commands').run(command.fargs)
end, {
  nargs = '+',
  desc = 'Commands of msl-analyzer',
  complete = function(...)
    return require('msl_analyzer.commands').complete(...)
  end,
})
