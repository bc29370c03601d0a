-- Sends the request described by the environment and prints one line of JSON about what came back.
local paths = {}
for path in io.lines(os.getenv('BENCH_PATHS')) do paths[#paths + 1] = path end
local at_once = tonumber(os.getenv('BENCH_AT_ONCE'))
local times = tonumber(os.getenv('BENCH_TIMES'))
local body = os.getenv('BENCH_BODY')
local ones = {}
for one in string.gmatch(os.getenv('BENCH_ONES'), '[^,]+') do ones[#ones + 1] = one end
local headers = {}
for name, value in string.gmatch(os.getenv('BENCH_HEADERS'), '([^\n:]+): ([^\n]+)') do headers[name] = value end

local threads = 0
local fixed = {}
local count = 0

function setup(thread)
  threads = threads + 1
  thread:set('thread_id', threads)
end

function init()
  if string.find(body, '$KEY', 1, true) then return end
  for i, path in ipairs(paths) do fixed[i] = wrk.format('POST', path, headers, body) end
end

function request()
  count = count + 1
  local turn = (math.floor(count / (at_once * times)) * at_once + count % at_once) % #paths + 1
  if fixed[turn] then return fixed[turn] end
  local key = os.getenv('BENCH_RUN') .. '-' .. thread_id .. '-' .. count
  local filled = string.gsub(body, '$KEY', key)
  if #ones > 0 then filled = string.gsub(filled, '$ONE', ones[count % #ones + 1]) end
  return wrk.format('POST', paths[turn], headers, filled)
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('\n{"requests":%d,"seconds":%f,"failed":%d,"p50_ms":%f,"p99_ms":%f}\n',
    summary.requests, summary.duration / 1e6, failed, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
