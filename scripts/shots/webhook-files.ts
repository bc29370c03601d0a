const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

const RETRY_BEFORE = lines(
  "import { enqueue } from '../jobs/queue';",
  "import { handle } from './handle';",
  "import { table } from '../db';",
  '',
  'export async function receive(event: CardEvent): Promise<void> {',
  '  await handle(event);',
  '}',
  '',
  '/** Puts events that a person chose into the queue. */',
  'export async function again(ids: readonly string[]): Promise<void> {',
  "  for (const id of ids) await enqueue(receive, await table('events').find(id));",
  '}',
  '',
  'export async function count(): Promise<number> {',
  "  return table('events').count();",
  '}',
);

const RETRY_AFTER = lines(
  "import { enqueue } from '../jobs/queue';",
  "import { handle, Unhandled } from './handle';",
  "import { table } from '../db';",
  '',
  '/** Minutes to wait before each further try. After the last one the event is dead. */',
  'const WAIT = [1, 5, 30, ...Array(11).fill(360)];',
  '',
  'export async function receive(event: CardEvent): Promise<void> {',
  "  await table('webhook_events').insert({ id: event.id, state: 'new', body: event });",
  '  await enqueue(tryOnce, { id: event.id, tries: 0 });',
  '}',
  '',
  'async function tryOnce({ id, tries }: Try): Promise<void> {',
  "  const event = await table('webhook_events').lock(id);",
  "  if (event.state === 'done') return;",
  '  try {',
  '    await handle(event.body);',
  "    await event.update({ state: 'done', handled_at: now() });",
  '  } catch (error) {',
  '    if (error instanceof Unhandled) return giveUp(event, error);',
  '    await later(event, tries + 1, error);',
  '  }',
  '}',
  '',
  'async function later(event: StoredEvent, tries: number, error: unknown): Promise<void> {',
  '  const minutes = WAIT[tries - 1];',
  '  if (minutes === undefined) return giveUp(event, error);',
  "  await event.update({ state: 'retrying', tries, error: String(error) });",
  '  await enqueue(tryOnce, { id: event.id, tries }, { in: minutes * 60_000 });',
  '}',
  '',
  'async function giveUp(event: StoredEvent, error: unknown): Promise<void> {',
  "  await event.update({ state: 'dead', error: String(error) });",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of the invented program, not of this one.
  "  await openTask({ title: `Card event ${event.id} was given up`, label: 'payments' });",
  '}',
  '',
  '/** Puts events that a person chose into the queue, dead ones too. */',
  'export async function again(ids: readonly string[]): Promise<number> {',
  '  let count = 0;',
  '  for (const id of ids) {',
  "    const event = await table('webhook_events').lock(id);",
  "    if (event.state === 'done') continue;",
  "    await event.update({ state: 'new', tries: 0, error: null });",
  '    await enqueue(tryOnce, { id, tries: 0 });',
  '    count += 1;',
  '  }',
  '  return count;',
  '}',
  '',
  'export async function count(): Promise<Counts> {',
  "  const rows = await table('webhook_events').countBy('state');",
  '  return {',
  "    waiting: rows.get('new') ?? 0,",
  "    retrying: rows.get('retrying') ?? 0,",
  "    dead: rows.get('dead') ?? 0,",
  '  };',
  '}',
);

const KINDS = [
  'charge.succeeded',
  'charge.failed',
  'refund.created',
  'refund.failed',
  'dispute.opened',
  'dispute.closed',
  'payout.paid',
];

const HANDLE_BEFORE = lines(
  "import { orders } from '../orders';",
  '',
  'export async function handle(event: CardEvent): Promise<void> {',
  ...KINDS.flatMap((kind) => [
    `  if (event.kind === '${kind}') {`,
    `    await orders.on('${kind}', event);`,
    '    return;',
    '  }',
  ]),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of the invented program, not of this one.
  '  console.warn(`unknown event ${event.kind}`);',
  '}',
);

const HANDLE_AFTER = lines(
  "import { orders } from '../orders';",
  '',
  '/** The event is of no kind that we know: a retry would not help. */',
  'export class Unhandled extends Error {}',
  '',
  `const KINDS = new Set(${JSON.stringify(KINDS.slice(0, 4)).replaceAll('"', "'")});`,
  '',
  'export async function handle(event: CardEvent): Promise<void> {',
  '  if (!KINDS.has(event.kind)) throw new Unhandled(event.kind);',
  '  await orders.on(event.kind, event);',
  '}',
);

const STORE_BEFORE = lines(
  "import { table } from '../db';",
  '',
  ...['first', 'second', 'third'].flatMap((name) => [
    `export async function ${name}Answer(id: string): Promise<Answer | null> {`,
    "  const rows = await table('events').where({ id });",
    '  if (rows.length === 0) return null;',
    '  const [row] = rows;',
    `  return row.answers['${name}'] ?? null;`,
    '}',
    '',
  ]),
);

const STORE_AFTER = lines(
  "import { table } from '../db';",
  '',
  "type Which = 'first' | 'second' | 'third';",
  '',
  'export async function answer(id: string, which: Which): Promise<Answer | null> {',
  "  const event = await table('webhook_events').find(id);",
  '  return event?.answers[which] ?? null;',
  '}',
);

const SPEC_BEFORE = lines(
  "import { firstAnswer } from '../../src/webhooks/store';",
  '',
  "test('keeps the first answer', async () => {",
  "  await table('events').insert({ id: 'e1', answers: { first: 200 } });",
  "  expect(await firstAnswer('e1')).toBe(200);",
  '});',
);

const SPEC_AFTER = SPEC_BEFORE.replace('import { firstAnswer }', 'import { answer }')
  .replace("table('events')", "table('webhook_events')")
  .replace("firstAnswer('e1')", "answer('e1', 'first')")
  .replace('keeps the first answer', 'keeps the first of three answers');

const CASES = ['500', '503', "'timeout'", "'throws'", '429', "'twice'", "'three days'", "'by hand'"];

const RETRY_SPEC = lines(
  "import { receive } from '../../src/webhooks/retry';",
  "import { table, time } from '../helpers';",
  '',
  "test.each([500, 503, 'timeout'])('retries after %s', async (answer) => {",
  "  const event = await table('webhook_events').insert({ state: 'new' });",
  '  await receive(event);',
  "  expect(await table('webhook_events').state(event)).toBe('retrying');",
  '});',
  ...CASES.flatMap((name) => [
    '',
    `describe('a card event after ${name.replaceAll("'", '')}', () => {`,
    '  beforeEach(() => time.set(0));',
    '',
    "  test('waits one, five and thirty minutes', async () => {",
    `    const event = await failing(${name});`,
    '    await time.pass({ minutes: 36 });',
    '    expect(event.tries).toBe(3);',
    '  });',
    '',
    "  test('is handled once', async () => {",
    `    const event = await failing(${name});`,
    '    expect(event.handled).toBe(1);',
    '  });',
  ]),
  '',
  '});',
);

const RUNBOOK_BEFORE = lines('# Runbook', '', 'What to do when something is wrong.');
const RUNBOOK_AFTER = `${RUNBOOK_BEFORE}${lines(
  '',
  '## Card events',
  '',
  'Events wait in `webhook_events`. To see how many are dead:',
  '',
  '    npm run events -- count',
  '',
  'To replay one of them by hand:',
  '',
  '    npm run events -- again ID',
  '',
  'A replayed event charges nobody twice.',
)}`;

const SQL_BEFORE = lines('create table events (id text primary key, body jsonb);');
const SQL_AFTER = lines(
  'create table webhook_events (',
  '  id text primary key, body jsonb,',
  "  state text not null default 'new', tries int not null default 0",
  ');',
);

/** The files of the repository that the attempt at SHOP-142 changes, before and after; null for none. */
export const WEBHOOK_FILES: Readonly<Record<string, readonly [before: string | null, after: string]>> = {
  'docs/runbook.md': [RUNBOOK_BEFORE, RUNBOOK_AFTER],
  'migrations/0043_events.sql': [SQL_BEFORE, SQL_AFTER],
  'src/webhooks/handle.ts': [HANDLE_BEFORE, HANDLE_AFTER],
  'src/webhooks/retry.ts': [RETRY_BEFORE, RETRY_AFTER],
  'src/webhooks/store.ts': [STORE_BEFORE, STORE_AFTER],
  'test/webhooks/retry.spec.ts': [null, RETRY_SPEC],
  'test/webhooks/store.spec.ts': [SPEC_BEFORE, SPEC_AFTER],
};
