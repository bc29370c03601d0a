import { hash, randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { argv } from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { createUuidV7 } from '../../../packages/server/src/store/uuid-v7.ts';
import { listen } from './listen.ts';

// A step, its event and its entry in the audit trail, on disk before the answer, many in one commit: the rows that
// Errand writes, with its pragmas, and nothing else. No token, no checks, no rules.
const database = new DatabaseSync(argv[2] ?? '');
database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
database.exec('pragma cache_size = -16000; pragma wal_autocheckpoint = 250');

interface Waiting {
  readonly res: ServerResponse;
  readonly execution_id: string;
  readonly body: { readonly step_name: string; readonly message: string };
}

const begin = database.prepare('begin immediate');
const commit = database.prepare('commit');
const insertStep = database.prepare(`
  insert into steps (id, execution_id, seq, name, status, message, source, started_at, updated_at, ended_at)
  values (?, ?, (select coalesce(max(seq), 0) + 1 from steps where execution_id = ?), ?, 'running', ?, 'agent', ?, ?, null)
  returning seq`);
const insertEvent = database.prepare(
  "insert into events (seq, at, body, shape, ids, rest) values (?, ?, '', ?, unhex(?, '-'), ?)",
);
const moveEvents = database.prepare('update event_head set seq = ?');
const insertEntry = database.prepare(`
  insert into audit_entries (seq, at, actor, act, entity_id, correlation_id, after_digest, prev_hash, hash)
  values (?, ?, ?, ?, unhex(?, '-'), unhex(?, '-'), unhex(?), unhex(?), unhex(?))`);
const moveTrail = database.prepare('update audit_head set seq = ?, hash = ?');
const heads = database.prepare(
  'select e.seq as event, a.seq as entry, a.hash as hash from event_head as e, audit_head as a',
);
const owner = randomUUID();
const numberOf = (text: string): number => Number(database.prepare(text).get()?.id);
// What is equal in all steps stands in rows of its own.
const shape = numberOf(
  "insert into event_shapes (shape) values ('raw step.created execution:report - 01nn2n3n2n') returning id",
);
const actor = numberOf(`
  insert into audit_actors (workspace_id, actor_kind, user_id, token_id) values ('raw', 'user', 'raw', 'raw') returning id`);
const act = numberOf(
  "insert into audit_actions (action, outcome, entity) values ('create_step', 'ok', 'step') returning id",
);
const ids = createUuidV7(Date.now);

let queue: Waiting[] = [];

function writeAll(): void {
  const works = queue;
  queue = [];
  const at = Date.now();
  begin.run();
  let { event, entry, hash: last } = heads.get() as { event: number; entry: number; hash: string }; // its columns
  const answers = works.map(({ res, execution_id, body: { step_name, message } }) => {
    const id = ids();
    const { seq } = insertStep.get(id, execution_id, execution_id, step_name, message, at, at) as { seq: number };
    const times = { started_at: at, updated_at: at, ended_at: null };
    const step = { id, execution_id, seq, name: step_name, status: 'running', message, source: 'agent', ...times };
    const text = JSON.stringify(step);
    insertEvent.run(++event, at, shape, `${id}${execution_id}${owner}${owner}`, JSON.stringify({ data: step }));
    const digest = hash('sha256', text);
    const before = last;
    const correlation_id = randomUUID();
    last = hash('sha256', JSON.stringify([before, ++entry, at, owner, owner, id, correlation_id, digest]));
    insertEntry.run(entry, at, actor, act, id, correlation_id, digest, before, last);
    return { res, text };
  });
  moveEvents.run(event);
  moveTrail.run(entry, last);
  commit.run();
  for (const { res, text } of answers) {
    res.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    res.end(text);
  }
}

listen(
  createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      if (queue.length === 0) setImmediate(writeAll);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Waiting['body'];
      queue.push({ res, execution_id: req.url?.split('/')[3] ?? '', body });
    });
  }),
);
