-- What wrk asks and how often each kind of answer came: its arguments are how many requests it
-- sends at once, the method and the body; the outcome is printed as JSON.

local threads = {}

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  local one = wrk.format(args[2], nil, { ["Content-Type"] = "text/plain" }, args[3])
  batch = string.rep(one, tonumber(args[1]))
  kinds = {}
end

function request()
  return batch
end

function response(status, headers, body)
  local lines = {}
  for name, value in pairs(headers) do
    if name ~= "Date" then table.insert(lines, name .. ": " .. value) end
  end
  table.sort(lines)
  local kind = status .. " " .. table.concat(lines, " | ") .. " | " .. body
  kinds[kind] = (kinds[kind] or 0) + 1
end

local function quoted(text)
  local escape = function(c) return string.format("\\u%04x", string.byte(c)) end
  return '"' .. text:gsub('[%c"\\\128-\255]', escape) .. '"'
end

function done(summary)
  local parts = {}
  for kind, count in pairs(threads[1]:get("kinds")) do
    table.insert(parts, quoted(kind) .. ":" .. count)
  end
  local e = summary.errors
  print(string.format(
    '{"requests":%d,"errors":{"connect":%d,"read":%d,"write":%d,"status":%d,"timeout":%d},"kinds":{%s}}',
    summary.requests, e.connect, e.read, e.write, e.status, e.timeout, table.concat(parts, ",")))
end
