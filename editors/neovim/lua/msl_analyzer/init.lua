--- What other parts of a configuration use: the status of a buffer, the client, the path of the server.
local M = {}

--- By buffer: what the server last said about the file. See `:help msl-analyzer-status`.
---@type table<integer, table>
local statuses = {}

---@param status { uri: string }
function M.on_status(_, status)
  if not status or not status.uri then
    return
  end
  local buffer = vim.uri_to_bufnr(status.uri)
  statuses[buffer] = status
  if vim.api.nvim_buf_is_loaded(buffer) then
    vim.api.nvim_exec_autocmds('User', { pattern = 'MslAnalyzerStatus', data = { buf = buffer, status = status } })
    vim.cmd.redrawstatus()
  end
end

--- The language version in force, for a status line: `metal4.1`, with `?` behind it if nothing states one. Empty in
--- buffers that the server does not know.
---@param buffer? integer
---@return string
function M.status(buffer)
  local status = statuses[buffer and buffer ~= 0 and buffer or vim.api.nvim_get_current_buf()]
  if not status then
    return ''
  end
  return status.std .. (status.isStated and '' or '?')
end

--- The unit through which a header is seen; nil for other files.
---@param buffer? integer
---@return string? path
function M.header_context(buffer)
  local status = statuses[buffer and buffer ~= 0 and buffer or vim.api.nvim_get_current_buf()]
  local unit = status and status.headerContext
  return type(unit) == 'string' and vim.uri_to_fname(unit) or nil
end

--- The client of a buffer.
---@param buffer? integer
---@return vim.lsp.Client?
function M.client(buffer)
  return vim.lsp.get_clients({ bufnr = buffer or 0, name = 'msl_analyzer' })[1]
end

--- The server's executable as configured.
---@return string
function M.executable()
  local config = vim.lsp.config['msl_analyzer']
  local cmd = config and config.cmd
  return type(cmd) == 'table' and cmd[1] or 'msl-analyzer'
end

--- The colours of address spaces: what a pointer leads to, or where a variable lies, is a modifier of its semantic
--- token. Thread memory is the common case and looks like any other variable.
function M.define_highlights()
  for name, value in pairs({
    device = { link = 'Special' },
    constant = { link = 'Constant' },
    threadgroup = { link = 'Type' },
    threadgroupImageblock = { link = 'Type' },
    objectData = { link = 'PreProc' },
    rayData = { link = 'PreProc' },
    generic = { underdotted = true },
  }) do
    vim.api.nvim_set_hl(0, '@lsp.mod.' .. name .. '.metal', vim.tbl_extend('keep', { default = true }, value))
  end
end

return M
