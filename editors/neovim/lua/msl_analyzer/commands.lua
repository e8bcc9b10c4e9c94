--- `:Msl NAME [ARGUMENT]`. What needs the text as it is in the buffer asks the server; what is about the files on disk
--- runs the command line of the same executable.
local msl = require('msl_analyzer')

local M = {}

local function warn(message)
  vim.notify('msl-analyzer: ' .. message, vim.log.levels.WARN)
end

---@param text string
---@param syntax? string markdown unless given
local function float(text, syntax)
  local lines = vim.split(vim.trim(text), '\n')
  return vim.lsp.util.open_floating_preview(lines, syntax or 'markdown', { focus_id = 'msl_analyzer', border = 'rounded' })
end

---@param name string
---@param lines string[]
---@param filetype string
local function scratch(name, lines, filetype)
  vim.cmd('botright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].swapfile = 'nofile', 'wipe', false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable, vim.bo[buffer].filetype = false, filetype
  pcall(vim.api.nvim_buf_set_name, buffer, name)
  return buffer
end

--- Runs the executable and hands over what it printed, on the main loop.
---@param arguments string[]
---@param done fun(result: vim.SystemCompleted)
local function run_executable(arguments, done)
  local command = vim.list_extend({ msl.executable() }, arguments)
  local ok, failure = pcall(vim.system, command, { text = true }, vim.schedule_wrap(done))
  if not ok then
    warn(('cannot run `%s`: %s'):format(command[1], failure))
  end
end

--- Asks the server of the current buffer.
---@param method string
---@param params table
---@param done fun(result: any, client: vim.lsp.Client)
local function request(method, params, done)
  local client = msl.client()
  if not client then
    return warn('no server is attached to this buffer; see :checkhealth msl_analyzer')
  end
  client:request(method, params, function(failure, result)
    if failure then
      local unknown = failure.code == vim.lsp.protocol.ErrorCodes.MethodNotFound
      warn(unknown and 'the server is too old for this command' or failure.message)
    else
      done(result, client)
    end
  end, 0)
end

--- What the command line says is about files on disk.
local function as_saved()
  return vim.bo.modified and '(as the file was saved last)\n' or ''
end

local function show_list(title, items, nothing)
  vim.fn.setqflist({}, ' ', { title = 'msl-analyzer: ' .. title, items = items })
  if #items == 0 then
    vim.notify('msl-analyzer: ' .. nothing)
  else
    vim.cmd('botright copen')
  end
end

---@type table<string, { run: fun(argument: string?), about: string, complete: (fun(): string[])? }>
M.commands = {}

M.commands.restart = {
  about = 'stop the server and start it anew',
  run = function()
    local buffers, config = {}, nil
    for _, client in ipairs(vim.lsp.get_clients({ name = 'msl_analyzer' })) do
      config = client.config
      vim.list_extend(buffers, vim.tbl_keys(client.attached_buffers))
      -- A server that is stopping refuses what is still asked of it, which nobody needs to hear of. What it asks itself
      -- has to be answered with something.
      client.handlers = setmetatable({}, {
        __index = function()
          return function()
            return vim.NIL
          end
        end,
      })
      client:stop()
    end
    local stopped = vim.wait(5000, function()
      return #vim.lsp.get_clients({ name = 'msl_analyzer' }) == 0
    end, 20)
    if not stopped then
      return warn('the server does not stop')
    end
    if config then
      for _, buffer in ipairs(buffers) do
        if vim.api.nvim_buf_is_loaded(buffer) then
          vim.lsp.start(config, { bufnr = buffer })
        end
      end
    else
      vim.lsp.enable('msl_analyzer')
    end
  end,
}

M.commands.version = {
  about = 'which language version is in force, and why',
  run = function()
    run_executable({ 'doctor', '--color', 'never', vim.api.nvim_buf_get_name(0) }, function(result)
      float(result.stdout .. result.stderr, 'text')
    end)
  end,
}

M.commands.explain = {
  about = 'the page of a diagnostic: the one named, or the one at the cursor',
  complete = function()
    local result = vim.system({ msl.executable(), 'explain' }, { text = true }):wait(2000)
    local codes = {}
    for line in vim.gsplit(result.stdout or '', '\n', { trimempty = true }) do
      codes[#codes + 1] = line:match('^%S+')
    end
    return codes
  end,
  run = function(code)
    if not code then
      local line, column = unpack(vim.api.nvim_win_get_cursor(0))
      for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = line - 1 })) do
        if diagnostic.source == 'msl-analyzer' and (not code or diagnostic.col <= column) then
          code = diagnostic.code
        end
      end
    end
    if not code then
      return warn('no finding on this line')
    end
    run_executable({ 'explain', '--color', 'never', code }, function(result)
      if result.code ~= 0 then
        return warn(vim.trim(result.stderr))
      end
      float(result.stdout, 'text')
    end)
  end,
}

M.commands.check = {
  about = 'check files on disk, the whole workspace without argument, into the quickfix list',
  complete = function()
    return vim.fn.getcompletion('', 'file')
  end,
  run = function(path)
    local client = msl.client()
    path = path or (client and client.root_dir) or vim.fn.getcwd()
    run_executable({ 'check', '--format', 'jsonl', path }, function(result)
      if result.code > 1 then
        return warn(vim.trim(result.stderr))
      end
      local items = {}
      for line in vim.gsplit(result.stdout, '\n', { trimempty = true }) do
        local finding = vim.json.decode(line)
        local from, to = finding.range.start, finding.range['end']
        items[#items + 1] = {
          filename = finding.path,
          lnum = from.line,
          col = from.column,
          end_lnum = to.line,
          end_col = to.column,
          type = finding.severity:sub(1, 1):upper(),
          text = ('%s [%s]'):format(finding.message, finding.code),
        }
      end
      show_list('check', items, 'nothing found')
    end)
  end,
}

M.commands.context = {
  about = 'through which unit a header is seen',
  run = function()
    local header = vim.uri_from_bufnr(0)
    request('msl-analyzer/headerContexts', { textDocument = { uri = header } }, function(result, client)
      if not result or #result.candidates == 0 then
        return warn('no unit includes this file')
      end
      local function name(uri)
        return vim.fn.fnamemodify(vim.uri_to_fname(uri), ':~:.')
      end
      local choices = { { label = 'automatic' } }
      for _, uri in ipairs(result.candidates) do
        choices[#choices + 1] = { label = name(uri), uri = uri }
      end
      local current = type(result.current) == 'string' and name(result.current) or 'itself'
      vim.ui.select(choices, {
        prompt = ('See this header through (%snow %s):'):format(result.isChosen and '' or 'automatic, ', current),
        format_item = function(choice)
          return choice.label
        end,
      }, function(choice)
        if choice then
          local params = { command = 'msl-analyzer.switchHeaderContext', arguments = { header, choice.uri or vim.NIL } }
          client:request('workspace/executeCommand', params, function(failure)
            if failure then
              warn(failure.message)
            end
          end, 0)
        end
      end)
    end)
  end,
}

M.commands.spaces = {
  about = 'explain the address spaces of the name at the cursor, and what each caller of its function passes',
  run = function()
    local line, column = unpack(vim.api.nvim_win_get_cursor(0))
    -- The first character of the name.
    local before = vim.api.nvim_get_current_line():sub(1, column + 1):match('[%w_]*$')
    local place = ('%s:%d:%d'):format(vim.api.nvim_buf_get_name(0), line, column + 2 - math.max(#before, 1))
    local note, client = as_saved(), msl.client()
    local params = vim.lsp.util.make_position_params(0, client and client.offset_encoding or 'utf-16')
    request('msl-analyzer/explainAddressSpaces', params, function(result)
      local table = result and result ~= vim.NIL and result.markdown .. '\n' or ''
      run_executable({ 'inspect', '--color', 'never', place }, function(one)
        float(('%s```text\n%s%s%s\n```'):format(table, note, vim.trim(one.stdout), one.stderr))
      end)
    end)
  end,
}

--- What a resolution costs, most first.
local costs = { runtime = 1, ['per-call'] = 2, static = 3 }

M.commands.flow = {
  about = 'every access through a generic pointer of the file, the most expensive first, into the quickfix list',
  run = function()
    local file = vim.api.nvim_buf_get_name(0)
    run_executable({ 'inspect', '--all', '--format', 'jsonl', file }, function(result)
      local items = {}
      for line in vim.gsplit(result.stdout, '\n', { trimempty = true }) do
        local one = vim.json.decode(line, { luanil = { object = true } })
        if one.space == 'generic' and costs[one.resolution] then
          items[#items + 1] = {
            filename = file,
            lnum = one.range.start.line,
            col = one.range.start.column,
            type = one.resolution == 'runtime' and 'W' or 'I',
            text = ('%s: `%s` leads to %s%s'):format(
              one.resolution,
              one.text,
              table.concat(one.inferred or {}, ', '),
              #one.loops > 0 and (' in %d loops'):format(#one.loops) or ''
            ),
            user_data = { cost = costs[one.resolution], loops = #one.loops },
          }
        end
      end
      table.sort(items, function(a, b)
        if a.user_data.cost ~= b.user_data.cost then
          return a.user_data.cost < b.user_data.cost
        elseif a.user_data.loops ~= b.user_data.loops then
          return a.user_data.loops > b.user_data.loops
        end
        return a.lnum < b.lnum
      end)
      show_list('address-space flow', items, 'no access goes through a generic pointer')
    end)
  end,
}

M.commands.migrate = {
  about = 'preview the move of the workspace to a language version, metal4.1 without argument, and apply it',
  complete = function()
    return { 'metal4.0', 'metal4.1' }
  end,
  run = function(version)
    vim.cmd('silent wall')
    local client = msl.client()
    local root = client and client.root_dir or vim.fn.getcwd()
    local command = { 'migrate', '--color', 'never', '--to', version or 'metal4.1', root }
    run_executable(command, function(result)
      if result.code > 1 then
        return warn(vim.trim(result.stderr))
      end
      local text = vim.trim(result.stdout)
      scratch('msl-analyzer://migrate', vim.split(text, '\n'), 'diff')
      vim.cmd.redraw()
      -- Hunks of a diff say that there is something to apply.
      local has_edits = ('\n' .. text):find('\n@@ ', 1, true)
      if has_edits and vim.fn.confirm('Apply these edits?', '&Yes\n&No', 2) == 1 then
        run_executable(vim.list_extend({ 'migrate', '--write' }, command, 2), function(done)
          vim.cmd.checktime()
          vim.notify('msl-analyzer: ' .. vim.trim(done.stdout .. done.stderr))
        end)
      end
    end)
  end,
}

M.commands.parser = {
  about = 'compile the tree-sitter parser with the C compiler of the system',
  run = function()
    local path, failure = require('msl_analyzer.parser').build()
    if path then
      vim.notify('msl-analyzer: wrote ' .. path)
    else
      warn(failure)
    end
  end,
}

M.commands.log = {
  about = 'open the log of the language client',
  run = function()
    vim.cmd.tabnew(vim.fn.fnameescape(vim.lsp.log.get_filename()))
  end,
}

---@param arguments string[]
function M.run(arguments)
  local command = M.commands[arguments[1]]
  if not command then
    local names = vim.tbl_keys(M.commands)
    table.sort(names)
    return warn(('no command `%s`; there are %s'):format(arguments[1], table.concat(names, ', ')))
  end
  command.run(arguments[2])
end

--- For the command line: names, then what each takes.
function M.complete(lead, line)
  local words = vim.split(vim.trim(line), '%s+')
  local name = words[2]
  local candidates = vim.tbl_keys(M.commands)
  if name and (#words > 2 or line:match('%s$')) then
    local command = M.commands[name]
    candidates = command and command.complete and command.complete() or {}
  end
  table.sort(candidates)
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
