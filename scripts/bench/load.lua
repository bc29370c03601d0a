-- Sends the request described by the environment and prints one line of JSON about what came back.
local path = os.getenv('BENCH_PATH')
local body = os.getenv('BENCH_BODY')
local headers = {}
for name, value in string.gmatch(os.getenv('BENCH_HEADERS'), '([^\n:]+): ([^\n]+)') do headers[name] = value end

local threads = 0
local fixed = nil
local count = 0

function setup(thread)
  threads = threads + 1
  thread:set('thread_id', threads)
end

function init()
  if not string.find(body, '$KEY', 1, true) then fixed = wrk.format('POST', path, headers, body) end
end

function request()
  if fixed then return fixed end
  count = count + 1
  local key = os.getenv('BENCH_RUN') .. '-' .. thread_id .. '-' .. count
  return wrk.format('POST', path, headers, (string.gsub(body, '$KEY', key)))
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\n{"requests":%d,"seconds":%f,"failed":%d,"p50_ms":%f,"p99_ms":%f}\n',
    summary.requests, summary.duration / 1e6, failed, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
