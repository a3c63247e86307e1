-- Arguments: pipelining depth, method, body, then names and values of header fields.
function init(args)
  wrk.method = args[2]
  if args[3] ~= "" then wrk.body = args[3] end
  for i = 4, #args, 2 do wrk.headers[args[i]] = args[i + 1] end

  -- wrk renders the request once, after this function; a global request() would run for each one.
  local batch = wrk.format():rep(tonumber(args[1]))
  wrk.format = function() return batch end
end

function done(summary)
  local e = summary.errors
  print(string.format(
    '{"requests":%d,"seconds":%.6f,"errors":{"status":%d,"connect":%d,"read":%d,"write":%d,"timeout":%d}}',
    summary.requests, summary.duration / 1e6, e.status, e.connect, e.read, e.write, e.timeout))
end
