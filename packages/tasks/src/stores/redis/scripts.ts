import { createHash } from 'node:crypto';

/** A script that the server runs atomically. */
export interface Script {
  readonly text: string;
  readonly sha1: string;
}

/**
 * A task is a hash of two fields: the columns that scripts use, as one text, and the body, which scripts do not
 * read. A field for each column would cost more than all other work for a task.
 */
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
] as const;

/** A pattern for `count` texts with U+0000 between them. One pattern is faster than splitting them one by one. */
const columnsPattern = (count: number): string => Array<string>(count).fill('([^%z]*)').join('%z');

const PRELUDE = `
local base = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function whole(number) return string.format('%.0f', number) end
local function taskKey(id) return base .. ':task:' .. id end
local function isOver(expires_at) return expires_at ~= '' and tonumber(expires_at) <= now end

-- Sorted by text: the age first, in as many digits as the largest has, then the id.
local function place(created_at, id) return string.rep('0', 16 - #created_at) .. created_at .. ':' .. id end

-- Columns have no U+0000 in them, so that it can stand between them.
local function join(row) return table.concat(row, '\\0') end
local function split(head) return { string.match(head, '^${columnsPattern(COLUMNS.length)}$') } end

-- Names every index of the task, so that it can leave them when its hash is gone.
local function deadline(owner, id, tool, created_at) return join({ owner, id, tool, created_at }) end

-- The row, and the reply that tells it; neither when there is none any more.
local function read(id)
  local found = redis.call('HMGET', taskKey(id), 'head', 'body')
  if not found[1] then return end
  local row = split(found[1])
  if isOver(row[10]) then return end
  return row, found
end

local function claimableFrom(lease_until, created_at)
  if lease_until ~= '' then return lease_until end
  return whole(math.min(tonumber(created_at), now))
end

-- Puts the task where it is found; 'before' is its row so far, an empty one for a new task.
local function index(row, before)
  local id, owner, tool, live, lease_until, created_at, expires_at = row[1], row[2], row[3], row[4], row[8], row[9], row[10]
  if live == '1' then
    if before[10] ~= expires_at or before[4] ~= live then
      redis.call('ZADD', base .. ':live:' .. owner, expires_at == '' and '+inf' or expires_at, id)
    end
    if before[8] ~= lease_until or before[4] ~= live then
      redis.call('ZADD', base .. ':claim:' .. tool, claimableFrom(lease_until, created_at), id)
    end
  elseif before[4] ~= live then
    redis.call('ZREM', base .. ':live:' .. owner, id)
    redis.call('ZREM', base .. ':claim:' .. tool, id)
  end
  if before[10] == expires_at then return end
  local entry = deadline(owner, id, tool, created_at)
  if expires_at == '' then
    redis.call('PERSIST', taskKey(id))
    redis.call('ZREM', base .. ':expiry', entry)
  else
    redis.call('ZADD', base .. ':expiry', expires_at, entry)
    redis.call('PEXPIREAT', taskKey(id), expires_at)
  end
end
`;

function script(body: string): Script {
  const text = PRELUDE + body;
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** The arguments of one write: action ('i' and the quota, or 'r' and the previous version), signal, head and body. */
const WRITE_ARGUMENTS = 4;

/**
 * Sender, then for each write: action, signal or '', head, body → for each write: 'inserted', 'quota_exceeded'
 * or 'exists' for an insert; 1, the current task, or nothing for a replacement.
 */
export const WRITE = script(`
local signals = {}

local function insert(quota, head, body)
  local row = split(head)
  local key = taskKey(row[1])
  if redis.call('EXISTS', key) == 1 then return 'exists' end
  local unfinished = redis.call('ZCOUNT', base .. ':live:' .. row[2], '(' .. whole(now), '+inf')
  if unfinished >= tonumber(quota) then return 'quota_exceeded' end
  redis.call('HSET', key, 'head', head, 'body', body)
  redis.call('ZADD', base .. ':list:' .. row[2], 0, place(row[9], row[1]))
  index(row, {})
  return 'inserted'
end

local function replace(version, head, body)
  local row = split(head)
  local key = taskKey(row[1])
  local known = redis.call('HGET', key, 'head')
  if not known then return false end
  local current = split(known)
  if current[2] ~= row[2] or isOver(current[10]) then return false end
  if current[5] ~= version then return { known, redis.call('HGET', key, 'body') } end
  redis.call('HSET', key, 'head', head, 'body', body)
  index(row, current)
  return 1
end

local replies = {}
for at = 2, #ARGV, ${WRITE_ARGUMENTS} do
  local what, number = string.sub(ARGV[at], 1, 1), string.sub(ARGV[at], 2)
  local reply = (what == 'i' and insert or replace)(number, ARGV[at + 2], ARGV[at + 3])
  if (reply == 1 or reply == 'inserted') and ARGV[at + 1] ~= '' then signals[#signals + 1] = ARGV[at + 1] end
  replies[#replies + 1] = reply
end
if #signals > 0 then redis.call('PUBLISH', base .. ':signals', ARGV[1] .. '[' .. table.concat(signals, ',') .. ']') end
return replies
`);

/** owner, creation time and id of the previous task or '' and '', limit → tasks */
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
    local row, found = read(string.sub(member, 18))
    if row then page[#page + 1] = found end
    from = '(' .. member
  end
end
return page
`);

/** worker, lease in ms, limit, tools → tasks */
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
  local row, found = read(candidate.id)
  if not row then
    redis.call('ZREM', candidate.key, candidate.id)
    return
  end
  local until_ms = whole(now + tonumber(ARGV[2]))
  row[5], row[6] = whole(row[5] + 1), whole(row[6] + 1)
  row[7], row[8] = ARGV[1], until_ms
  found[1] = join(row)
  redis.call('HSET', taskKey(candidate.id), 'head', found[1])
  redis.call('ZADD', candidate.key, until_ms, candidate.id)
  taken[#taken + 1] = found
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

/** limit → how many were removed */
export const SWEEP = script(`
local over = redis.call('ZRANGEBYSCORE', base .. ':expiry', '-inf', whole(now), 'LIMIT', 0, ARGV[1])
for _, entry in ipairs(over) do
  local owner, id, tool, created_at = string.match(entry, '^${columnsPattern(4)}$')
  redis.call('DEL', taskKey(id))
  redis.call('ZREM', base .. ':list:' .. owner, place(created_at, id))
  redis.call('ZREM', base .. ':live:' .. owner, id)
  redis.call('ZREM', base .. ':claim:' .. tool, id)
  redis.call('ZREM', base .. ':expiry', entry)
end
return #over
`);

/** How many entries of a list are read in one step. */
const TRIM_PAGE = 200;

/** owner, how many finished tasks stay → how many were removed */
export const TRIM = script(`
local owner, keep = ARGV[1], tonumber(ARGV[2])
local key = base .. ':list:' .. owner
local unfinished = redis.call('ZCOUNT', base .. ':live:' .. owner, '(' .. whole(now), '+inf')
if redis.call('ZCARD', key) - unfinished <= keep then return 0 end

local removed, from = 0, '+'
while true do
  local places = redis.call('ZRANGE', key, from, '-', 'BYLEX', 'REV', 'LIMIT', 0, ${TRIM_PAGE})
  if #places == 0 then break end
  for _, member in ipairs(places) do
    local id = string.sub(member, 18)
    local head = redis.call('HGET', taskKey(id), 'head')
    local row = head and split(head)
    if row and row[4] ~= '1' then
      if keep > 0 then
        keep = keep - 1
      else
        redis.call('DEL', taskKey(id))
        redis.call('ZREM', key, member)
        redis.call('ZREM', base .. ':expiry', deadline(owner, id, row[3], row[9]))
        removed = removed + 1
      end
    end
    from = '(' .. member
  end
end
return removed
`);
