import { createHash } from 'node:crypto';

/** A program that the server runs in one step, with nothing in between. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

/** The columns of a row, in the order in which scripts take and give them. */
export const COLUMNS = [
  'task_id',
  'owner_id',
  'tool',
  'live',
  'version',
  'epoch',
  'worker_id',
  'lease_until',
  'created_at',
  'expires_at',
  'body',
] as const;

const PRELUDE = `
local base = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local columns = { ${COLUMNS.map((column) => `'${column}'`).join(', ')} }

local function whole(number) return string.format('%.0f', number) end
local function taskKey(id) return base .. ':task:' .. id end
local function isOver(expires_at) return expires_at ~= '' and tonumber(expires_at) <= now end

-- Sorted by text: the age first, in as many digits as the largest has, then the id.
local function place(created_at, id) return string.rep('0', 16 - #created_at) .. created_at .. ':' .. id end

-- Names every index of the task, so that it can leave them when its hash is gone.
local function deadline(owner, id, tool, created_at) return cmsgpack.pack({ owner, id, tool, created_at }) end

local function read(id)
  local row = redis.call('HMGET', taskKey(id), unpack(columns))
  if not row[1] or isOver(row[10]) then return false end
  return row
end

local function claimableFrom(lease_until, created_at)
  if lease_until ~= '' then return lease_until end
  return whole(math.min(tonumber(created_at), now))
end

-- Puts the task where it is found; 'before' are its live, lease_until and expires_at so far, none for a new task.
local function index(row, before)
  local id, owner, tool, live, lease_until, created_at, expires_at = row[1], row[2], row[3], row[4], row[8], row[9], row[10]
  if live == '1' then
    if before.expires_at ~= expires_at or before.live ~= live then
      redis.call('ZADD', base .. ':live:' .. owner, expires_at == '' and '+inf' or expires_at, id)
    end
    if before.lease_until ~= lease_until or before.live ~= live then
      redis.call('ZADD', base .. ':claim:' .. tool, claimableFrom(lease_until, created_at), id)
    end
  elseif before.live ~= live then
    redis.call('ZREM', base .. ':live:' .. owner, id)
    redis.call('ZREM', base .. ':claim:' .. tool, id)
  end
  if before.expires_at == expires_at then return end
  local entry = deadline(owner, id, tool, created_at)
  if expires_at == '' then
    redis.call('PERSIST', taskKey(id))
    redis.call('ZREM', base .. ':expiry', entry)
  else
    redis.call('ZADD', base .. ':expiry', expires_at, entry)
    redis.call('PEXPIREAT', taskKey(id), expires_at)
  end
end

local function rowOf(first)
  local row = {}
  for at = 1, #columns do row[at] = ARGV[first + at - 1] end
  return row
end

local function tell(message)
  if message ~= '' then redis.call('PUBLISH', base .. ':signals', message) end
end
`;

function script(body: string): Script {
  const text = PRELUDE + body;
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** quota, signal, row → 'inserted' | 'quota_exceeded' | 'exists' */
export const INSERT = script(`
local row = rowOf(3)
if redis.call('EXISTS', taskKey(row[1])) == 1 then return 'exists' end
local unfinished = redis.call('ZCOUNT', base .. ':live:' .. row[2], '(' .. whole(now), '+inf')
if unfinished >= tonumber(ARGV[1]) then return 'quota_exceeded' end
redis.call(
  'HSET', taskKey(row[1]), 'task_id', row[1], 'owner_id', row[2], 'tool', row[3], 'live', row[4], 'version', row[5],
  'epoch', row[6], 'worker_id', row[7], 'lease_until', row[8], 'created_at', row[9], 'expires_at', row[10], 'body', row[11]
)
redis.call('ZADD', base .. ':list:' .. row[2], 0, place(row[9], row[1]))
index(row, {})
tell(ARGV[2])
return 'inserted'
`);

/** version before, signal, row → 1, or the row as it is, or nothing */
export const REPLACE = script(`
local row = rowOf(3)
local key = taskKey(row[1])
local current = redis.call('HMGET', key, 'owner_id', 'version', 'live', 'lease_until', 'expires_at')
if not current[1] or current[1] ~= row[2] or isOver(current[5]) then return false end
if current[2] ~= ARGV[1] then return read(row[1]) end
redis.call(
  'HSET', key, 'live', row[4], 'version', row[5], 'epoch', row[6], 'worker_id', row[7], 'lease_until', row[8],
  'expires_at', row[10], 'body', row[11]
)
index(row, { live = current[3], lease_until = current[4], expires_at = current[5] })
tell(ARGV[2])
return 1
`);

/** owner, age and id of the one before or '' and '', limit → rows */
export const LIST = script(`
local key = base .. ':list:' .. ARGV[1]
local from = '+'
if ARGV[2] ~= '' then from = '(' .. place(ARGV[2], ARGV[3]) end
local limit = tonumber(ARGV[4])
local page = {}
while #page < limit do
  local places = redis.call('ZRANGE', key, from, '-', 'BYLEX', 'REV', 'LIMIT', 0, limit - #page)
  if #places == 0 then break end
  for _, member in ipairs(places) do
    local row = read(string.sub(member, 18))
    if row then page[#page + 1] = row end
    from = '(' .. member
  end
end
return page
`);

/** worker, lease in ms, limit, tools → rows */
export const CLAIM = script(`
local limit = tonumber(ARGV[3])
local taken, seen = {}, {}

local function candidates()
  local found = {}
  for at = 4, #ARGV do
    local key = base .. ':claim:' .. ARGV[at]
    local pairs = redis.call('ZRANGEBYSCORE', key, '-inf', whole(now), 'WITHSCORES', 'LIMIT', 0, limit)
    for i = 1, #pairs, 2 do
      local id = pairs[i]
      if not seen[id] then
        seen[id] = true
        found[#found + 1] = { id = id, key = key, from = tonumber(pairs[i + 1]) }
      end
    end
  end
  table.sort(found, function(a, b) return a.from < b.from or (a.from == b.from and a.id < b.id) end)
  return found
end

local function take(candidate)
  local row = read(candidate.id)
  if not row then
    redis.call('ZREM', candidate.key, candidate.id)
    return
  end
  local until_ms = whole(now + tonumber(ARGV[2]))
  row[5], row[6] = whole(row[5] + 1), whole(row[6] + 1)
  row[7], row[8] = ARGV[1], until_ms
  redis.call('HSET', taskKey(candidate.id), 'version', row[5], 'epoch', row[6], 'worker_id', row[7], 'lease_until', until_ms)
  redis.call('ZADD', candidate.key, until_ms, candidate.id)
  taken[#taken + 1] = row
end

-- More than once: expired tasks are among the candidates until they have been looked at.
while #taken < limit do
  local found = candidates()
  if #found == 0 then break end
  for _, candidate in ipairs(found) do
    if #taken < limit then take(candidate) end
  end
end
return taken
`);

/** limit → how many */
export const SWEEP = script(`
local over = redis.call('ZRANGEBYSCORE', base .. ':expiry', '-inf', whole(now), 'LIMIT', 0, ARGV[1])
for _, entry in ipairs(over) do
  local owner, id, tool, created_at = unpack(cmsgpack.unpack(entry))
  redis.call('DEL', taskKey(id))
  redis.call('ZREM', base .. ':list:' .. owner, place(created_at, id))
  redis.call('ZREM', base .. ':live:' .. owner, id)
  redis.call('ZREM', base .. ':claim:' .. tool, id)
  redis.call('ZREM', base .. ':expiry', entry)
end
return #over
`);
