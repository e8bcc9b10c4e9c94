-- Runs in Neovim with the plugin installed and a copy of the fixture as its folder. Prints one line for each check.
local expected = vim.json.decode(table.concat(vim.fn.readfile(vim.env.MSL_EXPECTED), '\n'))

local function report(name, ok, detail)
  local text = ok and '' or (': ' .. (type(detail) == 'string' and detail or vim.inspect(detail)):gsub('\n%s*', ' '))
  io.stdout:write(('\n%s %s%s\n'):format(ok and 'ok' or 'FAILED', name, text))
end

local function check(name, run)
  local ok, result, detail = xpcall(run, debug.traceback)
  report(name, ok and result and true or false, ok and detail or result)
end

local function wait(condition)
  return vim.wait(20000, condition, 20)
end

-- The byte position of a place: {line, word} as in expected.json; line and column from 0.
local function place(at, buffer)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, false)) do
    local from = line:find(at[1], 1, true)
    if from then
      return number - 1, from - 1 + at[1]:find(at[2], 1, true) - 1
    end
  end
  error('not in the text: ' .. at[1])
end

local function go_to(at)
  local line, column = place(at)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
  return line, column
end

local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return window, table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
    end
  end
end

local function close_float()
  local window = float()
  if window then
    vim.api.nvim_win_close(window, true)
  end
end

local function all_in(text, parts)
  for _, part in ipairs(parts) do
    if not text:find(part, 1, true) then
      return false
    end
  end
  return true
end

vim.o.swapfile = false
vim.cmd.edit(expected.file)
local buffer = vim.api.nvim_get_current_buf()

check('file type', function()
  return vim.bo.filetype == 'metal', vim.bo.filetype
end)

local client
check('attach', function()
  wait(function()
    client = vim.lsp.get_clients({ bufnr = buffer, name = 'msl_analyzer' })[1]
    return client and client.initialized
  end)
  return client and client.root_dir == vim.uv.cwd(), client and client.root_dir or 'no client'
end)
if not client then
  vim.cmd('cquit 1')
end

check('diagnostics', function()
  wait(function()
    return #vim.diagnostic.get(buffer) >= #expected.diagnostics
  end)
  local found = vim.diagnostic.get(buffer)
  table.sort(found, function(a, b)
    return a.lnum < b.lnum
  end)
  if #found ~= #expected.diagnostics then
    return false, found
  end
  for index, want in ipairs(expected.diagnostics) do
    local line, column = place(want.at)
    local one = found[index]
    local fits = one.lnum == line
      and one.col == column
      and one.end_col == column + #want.at[2]
      and one.code == want.code
      and one.severity == vim.diagnostic.severity[want.severity:upper()]
      and one.message:find(want.contains, 1, true)
    if not fits then
      return false, one
    end
  end
  return true
end)

check('hover with address spaces', function()
  go_to(expected.hover.at)
  vim.lsp.buf.hover()
  wait(float)
  local _, text = float()
  close_float()
  return text and all_in(text, expected.hover.contains), text or 'no float'
end)

check('semantic tokens', function()
  vim.lsp.semantic_tokens.force_refresh(buffer)
  for _, want in ipairs(expected.semanticTokens) do
    local line, column = place(want.at)
    local token
    wait(function()
      token = (vim.lsp.semantic_tokens.get_at_pos(buffer, line, column) or {})[1]
      return token
    end)
    if not token or token.type ~= want.type then
      return false, { want, token }
    end
    for _, modifier in ipairs(want.modifiers) do
      if not token.modifiers[modifier] then
        return false, { want, token }
      end
    end
  end
  return true
end)

check('colour of an address space', function()
  local line, column = place({ 'device const Light *lights', 'lights' })
  local groups
  wait(function()
    groups = vim.tbl_map(function(item)
      return item.opts.hl_group
    end, vim.inspect_pos(buffer, line, column).semantic_tokens)
    return vim.tbl_contains(groups, '@lsp.mod.device.metal')
  end)
  local defined = vim.api.nvim_get_hl(0, { name = '@lsp.mod.device.metal' })
  return vim.tbl_contains(groups, '@lsp.mod.device.metal') and defined.link == 'Special', { groups, defined }
end)

check('syntax from the parser', function()
  vim.treesitter.get_parser(buffer):parse(true)
  for _, want in ipairs(expected.highlights) do
    local line, column = place(want.at)
    local captures = vim.tbl_map(function(capture)
      return capture.capture
    end, vim.treesitter.get_captures_at_pos(buffer, line, column))
    if captures[#captures] ~= want.capture then
      return false, { want, captures }
    end
  end
  return true
end)

check('every query compiles', function()
  local count = 0
  for _, path in ipairs(vim.api.nvim_get_runtime_file('queries/metal/*.scm', true)) do
    local ok, failure = pcall(vim.treesitter.query.parse, 'metal', table.concat(vim.fn.readfile(path), '\n'))
    if not ok then
      return false, path .. ': ' .. failure
    end
    count = count + 1
  end
  return count == 6, count
end)

check('status', function()
  local status = require('msl_analyzer').status
  wait(function()
    return status(buffer) ~= ''
  end)
  return status(buffer) == 'metal4.1', status(buffer)
end)

check('inlay hints', function()
  vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  wait(function()
    return #vim.lsp.inlay_hint.get({ bufnr = buffer }) > 0
  end)
  local hints = {}
  for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = buffer })) do
    local position = hint.inlay_hint.position
    hints[('%d:%d'):format(position.line, position.character)] = hint.inlay_hint.label
  end
  for _, want in ipairs(expected.inlayHints) do
    local line, column = place(want.before)
    if hints[('%d:%d'):format(line, column)] ~= want.label then
      return false, hints
    end
  end
  return true
end)

check('code action applied', function()
  local action = expected.codeAction
  local line = go_to(action.at)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(one)
      return one.title == action.title
    end,
  })
  local function text()
    return vim.api.nvim_buf_get_lines(buffer, line, line + 1, false)[1]
  end
  wait(function()
    return text() == action.line and #vim.diagnostic.get(buffer) == #action.remaining
  end)
  local codes = vim.tbl_map(function(diagnostic)
    return diagnostic.code
  end, vim.diagnostic.get(buffer))
  return text() == action.line and vim.deep_equal(codes, action.remaining), { text(), codes }
end)

check('rename across files', function()
  go_to(expected.rename.at)
  vim.lsp.buf.rename(expected.rename.to)
  local function lines_of(name)
    local number = vim.fn.bufnr(vim.fs.joinpath(vim.uv.cwd(), name))
    return number > 0 and vim.api.nvim_buf_get_lines(number, 0, -1, false) or {}
  end
  local function renamed()
    for name, line in pairs(expected.rename.lines) do
      if not vim.tbl_contains(lines_of(name), line) then
        return false
      end
    end
    return true
  end
  wait(renamed)
  return renamed(), vim.tbl_map(lines_of, vim.tbl_keys(expected.rename.lines))
end)

check(':Msl explain', function()
  go_to(expected.diagnostics[1].at)
  vim.cmd('Msl explain')
  wait(float)
  local _, text = float()
  close_float()
  return text and text:find(expected.diagnostics[1].code, 1, true), text or 'no float'
end)

check(':Msl version', function()
  vim.cmd('Msl version')
  wait(float)
  local _, text = float()
  close_float()
  return text and text:find('metal4.1', 1, true), text or 'no float'
end)

check(':Msl check', function()
  vim.cmd('silent wall')
  vim.cmd('Msl check')
  wait(function()
    return #vim.fn.getqflist() > 0
  end)
  local items = vim.fn.getqflist()
  vim.cmd.cclose()
  return #items == #expected.codeAction.remaining and items[1].text:find(expected.codeAction.remaining[1], 1, true), items
end)

check(':Msl spaces', function()
  go_to(expected.hover.at)
  vim.cmd('Msl spaces')
  wait(float)
  local _, text = float()
  close_float()
  return text and text:find('device | thread', 1, true) and text:find('| caller | call |', 1, true), text or 'no float'
end)

check(':Msl flow', function()
  vim.fn.setqflist({})
  vim.cmd('Msl flow')
  wait(function()
    return #vim.fn.getqflist() > 0
  end)
  local items = vim.fn.getqflist()
  vim.cmd.cclose()
  return #items > 0 and items[1].text:find('per-call: `light', 1, true), items
end)

check(':Msl migrate', function()
  -- Asked, the user says no.
  vim.fn.confirm = function()
    return 2
  end
  vim.cmd('Msl migrate metal4.1')
  wait(function()
    return vim.bo.filetype == 'diff'
  end)
  local shown = vim.bo.filetype == 'diff'
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  if shown then
    vim.cmd.bwipeout()
  end
  return shown and #text > 0, text
end)

check(':Msl context', function()
  local offered
  vim.ui.select = function(choices, _, done)
    offered = choices
    done(choices[2])
  end
  vim.cmd.edit('include/geometry.h')
  wait(function()
    return #vim.lsp.get_clients({ bufnr = 0 }) > 0 and require('msl_analyzer').header_context()
  end)
  local seen_through = require('msl_analyzer').header_context()
  vim.cmd('Msl context')
  local answer
  wait(function()
    local params = { textDocument = { uri = vim.uri_from_bufnr(0) } }
    answer = (client:request_sync('msl-analyzer/headerContexts', params, 5000, 0) or {}).result
    return answer and answer.isChosen
  end)
  vim.cmd.buffer(buffer)
  local unit = vim.fs.joinpath(vim.uv.cwd(), expected.file)
  return seen_through == unit and #offered == 2 and answer and answer.isChosen, { seen_through, offered, answer }
end)

check(':Msl completion', function()
  local names = vim.fn.getcompletion('Msl ', 'cmdline')
  local codes = vim.fn.getcompletion('Msl explain generic-to', 'cmdline')
  return vim.tbl_contains(names, 'restart') and vim.deep_equal(codes, { 'generic-to-concrete' }), { names, codes }
end)

check(':Msl restart', function()
  local before = client.id
  vim.cmd('Msl restart')
  wait(function()
    client = vim.lsp.get_clients({ bufnr = buffer, name = 'msl_analyzer' })[1]
    return client and client.initialized and client.id ~= before
  end)
  return client and client.id ~= before and #vim.lsp.get_clients() == 1, vim.lsp.get_clients()
end)

check('health', function()
  vim.cmd('checkhealth msl_analyzer')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  return text:find('the parser is loaded', 1, true) and not text:find('ERROR') and not text:find('WARNING'), text
end)

check('help', function()
  vim.cmd('help msl-analyzer-commands')
  return vim.api.nvim_buf_get_name(0):find('msl%-analyzer%.txt$')
end)

-- The border between languages: a string of host code names a function of a shader.
check('from a Swift string to the Metal function and back', function()
  vim.cmd.edit('Host.swift')
  local host = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(host, client.id)
  local line, column = place({ 'name: "shade"', 'shade' }, host)
  local ask = function(method, buf, row, col)
    local params = {
      textDocument = { uri = vim.uri_from_bufnr(buf) },
      position = { line = row, character = col },
      context = { includeDeclaration = true },
    }
    local answer = client:request_sync(method, params, 5000, buf)
    return answer and answer.result or {}
  end
  local found
  -- The project is read in the background.
  wait(function()
    found = ask('textDocument/definition', host, line, column + 1)
    return #found > 0
  end)
  local target = found[1] or {}
  if not (target.uri or ''):find('light%.metal$') then
    return false, found
  end
  local back = ask('textDocument/references', buffer, target.range.start.line, target.range.start.character + 1)
  local names = vim.tbl_map(function(it) return it.uri:match('[^/]*$') end, back)
  vim.cmd.buffer(buffer)
  return vim.tbl_contains(names, 'Host.swift') and vim.tbl_contains(names, 'light.metal'), back
end)

check('the server ends with the editor', function()
  for _, one in ipairs(vim.lsp.get_clients()) do
    one:stop()
  end
  return wait(function()
    return #vim.lsp.get_clients() == 0
  end)
end)

check('no message of an error', function()
  local messages = vim.api.nvim_exec2('messages', { output = true }).output
  return not messages:find('E%d+:') and not messages:lower():find('error'), messages
end)
vim.cmd('qa!')
