import { expect } from 'vitest';
import type { Json, JsonObject } from '#json';
import type { TaskRecord } from '#task';
import { nextOf, requestFor, taskIn } from '#testing/a-task';
import { claimAll, type StoreCheck } from '#testing/check';

const ALL = 1_000;

const TEXTS: readonly string[] = [
  '',
  ' padded ',
  'a\0b',
  '\0',
  '\ud800 high alone',
  'low alone \udc00',
  '\udc00\ud800 swapped',
  '🦊 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧‍👦',
  'line\u2028paragraph\u2029end\r\n\t\v\f\b',
  '\u202eright to left',
  'e\u0301 and \u00e9',
  '\ufeffmark \uffff \ufffd',
  `"'\`\\ \\u0000 \\ud800 $1 %s {}[] :name ?; DROP TABLE tasks; --`,
  '{"json":"inside"}',
];

const NUMBERS: readonly number[] = [
  0,
  -1,
  0.1,
  1e-7,
  1e21,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  2 ** 53,
  123456789012345680000,
];

// Parsed, because a literal `__proto__` would set the prototype instead of a key.
const KEYS = JSON.parse(`{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":"text","":"empty",
  "z":1,"10":"ten","2":"two","a.b":1,"$set":{},"\\u0000":"nul","\\ud83d":"half"}`) as JsonObject;

const DEPTH = 400;
const deep = (): Json => Array.from({ length: DEPTH }).reduce<Json>((inner, _, i) => (i % 2 ? [inner] : { inner }), 1);

/** Prints a record field by field. Nested keys keep their order, and no key is lost. */
function printed(record: TaskRecord | null): Readonly<Record<string, string>> {
  const { request, ...fields } = record ?? { request: {} };
  const all = [...Object.entries(fields), ...Object.entries(request)];
  return Object.fromEntries(all.map(([field, value]) => [field, JSON.stringify(value)]));
}

const hostile = (text: string): Partial<TaskRecord> => ({
  request: { method: text, tool: 'count', arguments: { [text]: text }, progress_token: text },
  context: { text, list: [text, { [text]: text }] },
  status_message: text,
  variables: { [text]: text },
  draft: { text },
  progress: { progress: 0.5, total: 1, message: text },
  inputs: {
    [`${text} b`]: { request: { method: 'roots/list', params: { text } }, answer: null },
    [`${text} a`]: { request: { method: 'elicitation/create', params: {} }, answer: { text } },
  },
  immediate_response: text,
});

/** Rule S11: texts and numbers are returned unchanged. */
export const TEXTS_AND_NUMBERS: readonly StoreCheck[] = [
  {
    title: '[S11] returns any text unchanged, from every operation that returns records',
    run: async (setup) => {
      await using store = await setup.open();

      for (const [i, text] of TEXTS.entries()) {
        const task = taskIn(store, { ...hostile(text), owner_id: `sub:${i}` });
        await store.insert(task, ALL);
        const changed = nextOf(task, { status_message: `${text}!` });
        await store.replace(changed);

        const refused = await store.replace(task);
        const answers = [
          await store.get(task.owner_id, task.task_id),
          (await store.list(task.owner_id, null, 1))[0] ?? null,
          refused.ok ? null : refused.current,
        ];
        const [claimed] = await claimAll(
          setup,
          store,
          { worker_id: `worker-${i}`, tools: ['count'], lease_ms: 1e9, limit: 1 },
          1,
        );

        for (const answer of answers) expect(printed(answer)).toEqual(printed(changed));
        const { lease } = claimed ?? task;
        expect(printed(claimed ?? null)).toEqual(printed(nextOf(changed, { epoch: 1, lease })));
        expect(lease?.worker_id).toBe(`worker-${i}`);
      }
    },
  },
  {
    title: '[S11] returns odd keys, odd numbers, deep JSON and long text unchanged',
    run: async (setup) => {
      await using store = await setup.open();
      // It is in the record three times, with 16 bytes of JSON per repetition: as long as the store accepts.
      const long = `${'é🦊"\\\0'.repeat(Math.min(10_000, Math.floor(store.max_record_bytes / 64)))}\ud800`;
      const values: readonly JsonObject[] = [
        KEYS,
        { numbers: NUMBERS },
        { deep: deep() },
        { long },
        { none: [{}, [], null] },
      ];

      for (const value of values) {
        const task = taskIn(store, { variables: value, context: value, owner_id: 'sub:odd' });
        await store.insert(task, ALL);
        const ended = nextOf(task, { status: 'completed', outcome: { kind: 'result', result: value } });
        await store.replace(ended);

        const found = await store.get(task.owner_id, task.task_id);

        expect(printed(found)).toEqual(printed(ended));
      }
    },
  },
  {
    title: '[S11] returns every kind of outcome, and times and counters at their limits',
    run: async (setup) => {
      await using store = await setup.open();
      const most = Number.MAX_SAFE_INTEGER;
      const variants: readonly Partial<TaskRecord>[] = [
        { status: 'completed', outcome: { kind: 'result', result: { isError: false } } },
        { status: 'failed', outcome: { kind: 'tool_error', result: { isError: true } } },
        { status: 'failed', outcome: { kind: 'rpc_error', error: { code: -32603, message: 'x', data: { a: null } } } },
        { status: 'cancelled', outcome: { kind: 'cancelled' } },
        { created_at: 0, ttl_ms: null, updated_at: 1, poll_interval_ms: 0 },
        { created_at: 1, ttl_ms: most - 1, updated_at: most, version: most - 1, epoch: 2 ** 31 },
        { lease: { worker_id: 'w', until: most }, request: { ...requestFor('count'), progress_token: 0 } },
      ];

      for (const variant of variants) {
        const task = taskIn(store, variant);
        await store.insert(task, ALL);

        const found = await store.get(task.owner_id, task.task_id);

        expect(found).toStrictEqual(task);
      }
    },
  },
  {
    title: '[S11, O2] distinguishes owners that differ only in odd text, or refuses them',
    run: async (setup) => {
      await using store = await setup.open();
      const owners = [
        '\ud800',
        '\udfff',
        '\ufffd',
        '\0',
        '',
        'a\0',
        'a',
        'e\u0301',
        '\u00e9',
        'A',
        '🦊',
        'x:{y}',
        "o'",
      ];
      const tasks = owners.map((owner) => taskIn(store, { owner_id: `sub:${owner}` }));
      const kept = await Promise.allSettled(tasks.map((task) => store.insert(task, 1)));

      const lists = await Promise.allSettled(tasks.map(({ owner_id }) => store.list(owner_id, null, 10)));

      for (const [i, task] of tasks.entries()) {
        if (kept[i]?.status === 'rejected') continue;
        expect(lists[i]).toStrictEqual({ status: 'fulfilled', value: [task] });
      }
      expect(kept.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(9);
    },
  },
  {
    title: '[S11] keeps a record unchanged when the caller changes its own object afterwards',
    run: async (setup) => {
      await using store = await setup.open();
      const variables = { list: [1, 2] };
      const task = taskIn(store, { variables });
      await store.insert(task, ALL);

      // A store that returns frozen objects refuses these changes, which is also right.
      Reflect.set(variables.list, 0, 'changed');
      const found = await store.get(task.owner_id, task.task_id);
      if (found) Reflect.set(found.variables, 'list', 'changed');
      const [listed] = await store.list(task.owner_id, null, 1);
      if (listed) Reflect.set(listed, 'status_message', 'changed');

      const end = await store.get(task.owner_id, task.task_id);
      expect(end).toMatchObject({ status_message: null, variables: { list: [1, 2] } });
    },
  },
  {
    title: '[S16] refuses a record that is too large, and keeps the previous one',
    run: async (setup) => {
      await using store = await setup.open();
      const task = taskIn(store);
      const text = 'ß'.repeat(store.max_record_bytes / 2);
      await store.insert(task, ALL);

      const long = { variables: { text } };
      await expect(store.insert(taskIn(store, long), ALL)).rejects.toMatchObject({ code: 'record_too_large' });
      await expect(store.replace(nextOf(task, long))).rejects.toMatchObject({ code: 'record_too_large' });

      const listed = await store.list(task.owner_id, null, 10);
      expect(listed.map(({ task_id, version }) => ({ task_id, version }))).toStrictEqual([
        { task_id: task.task_id, version: 1 },
      ]);
    },
  },
];
