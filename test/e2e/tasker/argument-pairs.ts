import { isDeepStrictEqual } from 'node:util';
import { fingerprint } from '../../../packages/server/src/gateway/fingerprint.ts';
import { validate } from '../../../packages/server/src/gateway/validate.ts';
import type { Tool } from '../../../packages/server/src/tools/catalog.ts';
import type { Arguments } from '../client.ts';
import { createRandom, type Random } from '../durability/random.ts';
import { TASKER } from './matrix.ts';

type Json = unknown;

const pick = <T>(random: Random, from: readonly T[]): T => from[random.between(0, from.length - 1)] as T; // never empty

const TEXTS = [
  'a',
  'b',
  'A',
  'a ',
  'é',
  'e\u0301',
  '0',
  '1',
  'true',
  'null',
  '{"a":1}',
  '[1]',
  '"',
  '\\',
  '\n',
  'ﬁ',
  '😀',
  'a,b',
];

/** Makes values that the schema of the tool mostly accepts. Refused ones are discarded. */
const FIELDS: Readonly<Record<string, (random: Random) => Json>> = {
  priority: (random) => pick(random, ['none', 'low', 'high', 'urgent']),
  mode: (random) => pick(random, ['set', 'merge']),
  action: (random) => pick(random, ['append_text_block', 'append_checker', 'update_checker_item', 'replace_blocks']),
  role: (random) => pick(random, ['guest', 'member']),
  checked: (random) => random.next() < 0.5,
  sort_order: (random) => pick(random, [0, 1, 2, 1.5, -1, 1e9]),
  expected_version: (random) => random.between(1, 5),
  start_date: (random) => `2026-01-0${random.between(1, 9)}`,
  target_date: (random) => `2026-02-0${random.between(1, 9)}`,
  label_ids: (random) => Array.from({ length: random.between(0, 3) }, () => pick(random, TEXTS)),
  assignee_ids: (random) => Array.from({ length: random.between(0, 3) }, () => pick(random, TEXTS)),
  items: (random) => Array.from({ length: random.between(1, 3) }, () => pick(random, TEXTS)),
  blocks: (random) => [textBlock(random), textBlock(random)],
  detail_layout: (random) => ({ nodedc_structured_blocks: { version: 1, blocks: [textBlock(random)] } }),
};

const textBlock = (random: Random) => ({
  id: `b${random.between(1, 99)}`,
  type: 'text',
  text: pick(random, TEXTS),
  ...(random.next() < 0.5 && { title: pick(random, TEXTS) }),
});

const fieldsOf = (tool: Tool): readonly string[] => Object.keys(tool.input.shape);

const valueFor = (random: Random, field: string): Json => FIELDS[field]?.(random) ?? pick(random, TEXTS);

const someArguments = (random: Random, tool: Tool): Arguments =>
  Object.fromEntries(
    fieldsOf(tool)
      .filter((field) => random.next() < 0.6 || !tool.input.shape[field]?.safeParse(undefined).success)
      .map((field) => [field, valueFor(random, field)]),
  );

function shuffled(random: Random, value: Json): Json {
  if (Array.isArray(value)) return value.map((item) => shuffled(random, item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => ({
    entry: [key, shuffled(random, inner)],
    at: random.next(),
  }));
  return Object.fromEntries(entries.toSorted((a, b) => a.at - b.at).map(({ entry }) => entry));
}

/** Changes the arguments, or only their form. The validated arguments show which of the two it was. */
function mutated(random: Random, tool: Tool, args: Arguments): Arguments {
  const fields = fieldsOf(tool).filter((field) => field !== 'idempotency_key');
  const field = pick(random, fields);
  const value = args[field];
  const without = Object.fromEntries(Object.entries(args).filter(([name]) => name !== field));
  switch (random.between(0, 7)) {
    case 0:
      return without;
    case 1:
      return { ...without, [field]: valueFor(random, field) };
    case 2:
      return { ...args, [field]: null };
    case 3:
      return typeof value === 'object' ? { ...args, [field]: JSON.stringify(value) } : args;
    case 4:
      return Array.isArray(value) ? { ...args, [field]: value.toReversed() } : args;
    case 5: {
      const other = pick(random, fields);
      return { ...args, [field]: args[other], [other]: value };
    }
    case 6:
      return typeof value === 'string' ? { ...args, [field]: `${value}${pick(random, TEXTS)}` } : args;
    default:
      return args;
  }
}

function validated(tool: Tool, args: Arguments): Record<string, unknown> | null {
  try {
    // As over the wire: values that JSON cannot express are lost.
    return validate(tool, JSON.parse(JSON.stringify(args)));
  } catch {
    return null;
  }
}

export interface PairCount {
  /** Pairs with equal meaning, whose fingerprints must be equal. */
  equal: number;
  /** Pairs with different meanings. */
  different: number;
  readonly faults: string[];
}

/** Compares the fingerprints of pairs of arguments with their meanings. */
export function comparePairs(count: number, seed: number): PairCount {
  const random = createRandom(seed);
  const tools = TASKER.filter(({ effect }) => effect !== 'read');
  const counted: PairCount = { equal: 0, different: 0, faults: [] };
  while (counted.equal + counted.different < count) {
    const tool = pick(random, tools);
    const args = someArguments(random, tool);
    const one = validated(tool, { ...args, idempotency_key: 'one' });
    const changed = shuffled(random, mutated(random, tool, args)) as Arguments;
    const two = one === null ? null : validated(tool, { ...changed, idempotency_key: 'two' });
    if (one === null || two === null) continue;

    // Also before validation, which sorts the fields.
    if (fingerprint(tool.full_name, args) !== fingerprint(tool.full_name, shuffled(random, args) as Arguments)) {
      counted.faults.push(`${tool.name}: the order of ${JSON.stringify(args)}`);
    }
    const isSame = isDeepStrictEqual({ ...one, idempotency_key: '' }, { ...two, idempotency_key: '' });
    counted[isSame ? 'equal' : 'different'] += 1;
    if ((fingerprint(tool.full_name, one) === fingerprint(tool.full_name, two)) !== isSame) {
      counted.faults.push(`${tool.name}: ${JSON.stringify(args)} and ${JSON.stringify(changed)}`);
    }
  }
  return counted;
}
