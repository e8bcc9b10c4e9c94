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
---@param params fun(client: vim.lsp.Client): table
---@param done fun(result: any, client: vim.lsp.Client)
local function request(method, params, done)
  local client = msl.client()
  if not client then
    return warn('no server is attached to this buffer; see :checkhealth msl_analyzer')
  end
  client:request(method, params(client), function(failure, result)
    if failure then
      local unknown = failure.code == vim.lsp.protocol.ErrorCodes.MethodNotFound
      warn(unknown and 'the server is too old for this command' or failure.message)
    else
      done(result, client)
    end
  end, 0)
end

local function document()
  return { textDocument = vim.lsp.util.make_text_document_params() }
end

local function position(client)
  return vim.lsp.util.make_position_params(0, client.offset_encoding)
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
      vim.fn.setqflist({}, ' ', { title = 'msl-analyzer check', items = items })
      if #items == 0 then
        vim.notify('msl-analyzer: nothing found')
      else
        vim.cmd('botright copen')
      end
    end)
  end,
}

M.commands.context = {
  about = 'through which unit a header is seen',
  run = function()
    request('msl-analyzer/headerContexts', document, function(result, client)
      if not result or #result.candidates == 0 then
        return warn('no unit includes this file')
      end
      local choices = { { label = 'automatic' } }
      for _, candidate in ipairs(result.candidates) do
        local label = vim.fn.fnamemodify(vim.uri_to_fname(candidate.uri), ':~:.')
        choices[#choices + 1] = { label = label, uri = candidate.uri }
      end
      local current = result.automatic and 'automatic, now ' or ''
      if result.current then
        current = current .. vim.fn.fnamemodify(vim.uri_to_fname(result.current), ':~:.')
      end
      vim.ui.select(choices, {
        prompt = ('See this header through (%s):'):format(current),
        format_item = function(choice)
          return choice.label
        end,
      }, function(choice)
        if choice then
          local params = document()
          params.context = choice.uri or vim.NIL
          client:request('msl-analyzer/setHeaderContext', params, function(failure)
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
  about = 'explain the address spaces of what is at the cursor',
  run = function()
    request('msl-analyzer/explainAddressSpaces', position, function(result)
      if not result then
        return warn('nothing here has an address space')
      end
      float(result.markdown)
    end)
  end,
}

M.commands.flow = {
  about = 'the report of every generic pointer of the file',
  run = function()
    request('msl-analyzer/flowReport', document, function(result)
      scratch('msl-analyzer://flow', vim.split(result.markdown, '\n'), 'markdown')
    end)
  end,
}

M.commands.migrate = {
  about = 'preview the move of the workspace to a language version, metal4.1 without argument',
  complete = function()
    return { 'metal4.0', 'metal4.1' }
  end,
  run = function(version)
    local params = function()
      return { to = version or 'metal4.1' }
    end
    request('msl-analyzer/migrate', params, function(result, client)
      scratch('msl-analyzer://migrate', vim.split(result.report, '\n'), 'markdown')
      if result.edit and vim.fn.confirm('Apply the edits of this report?', '&Yes\n&No', 2) == 1 then
        vim.lsp.util.apply_workspace_edit(result.edit, client.offset_encoding)
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
