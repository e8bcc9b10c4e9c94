--- Compiles the tree-sitter parser from the sources beside this plugin.
local M = {}

--- The root of this plugin.
---@return string
function M.root()
  return vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h:h:h')
end

--- Where the sources of the grammar are: in the plugin if it was installed, in the repository around it if not.
---@return string?
function M.sources()
  for _, path in ipairs({ 'grammar', '../../grammar/src' }) do
    local folder = vim.fs.joinpath(M.root(), path)
    if vim.uv.fs_stat(vim.fs.joinpath(folder, 'parser.c')) then
      return vim.fs.normalize(folder)
    end
  end
end

--- Returns the path of the parser, or nil and what went wrong.
---@return string?, string?
function M.build()
  local sources = M.sources()
  if not sources then
    return nil, 'the sources of the grammar are not here; build it from a checkout of the repository'
  end
  local target = vim.fs.joinpath(M.root(), 'parser')
  vim.fn.mkdir(target, 'p')
  target = vim.fs.joinpath(target, 'metal.so')
  local compilers = { vim.env.CC or 'cc', 'clang', 'gcc' }
  for _, compiler in ipairs(compilers) do
    if vim.fn.executable(compiler) == 1 then
      local command = { compiler, '-O2', '-shared', '-fPIC', '-I', sources, '-o', target }
      vim.list_extend(command, { vim.fs.joinpath(sources, 'parser.c'), vim.fs.joinpath(sources, 'scanner.c') })
      local result = vim.system(command, { text = true }):wait()
      if result.code == 0 then
        return target
      end
      return nil, result.stderr
    end
  end
  return nil, ('no C compiler: none of %s can be run'):format(table.concat(compilers, ', '))
end

return M
