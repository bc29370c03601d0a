import type { FeedEntry } from 'errand/client';
import type { RunPrompt } from '../../api/attempt-feed.ts';
import { plural } from '../../text/words.ts';
import { messageIn } from './entry-text.ts';

/** A part of the feed: what the agent said, and what it did then. */
export interface Turn {
  /** Names it, also when older turns are loaded: the run and the first entry. */
  readonly id: string;
  readonly title: string;
  /** What its run was given, where the turn begins a run. */
  readonly prompt: RunPrompt | null;
  readonly entries: readonly FeedEntry[];
  readonly from: number;
  readonly to: number;
}

/** The filters of the feed, each by the kinds of entries that it leaves. */
export const FILTERS = ['all', 'messages', 'tools', 'commands', 'edits', 'questions'] as const;
export type Filter = (typeof FILTERS)[number];

const KINDS: Readonly<Record<Exclude<Filter, 'all'>, readonly FeedEntry['kind'][]>> = {
  messages: ['message', 'thought'],
  tools: ['tool_call'],
  commands: ['command', 'output'],
  edits: ['edit'],
  questions: ['question'],
};

export const matches = (filter: Filter, { kind }: FeedEntry): boolean =>
  filter === 'all' || KINDS[filter].includes(kind);

/** How many entries each filter leaves. Output belongs to its command: it is not counted by itself. */
export function countsOf(entries: readonly FeedEntry[]): Readonly<Record<Filter, number>> {
  const counts = { all: entries.length, messages: 0, tools: 0, commands: 0, edits: 0, questions: 0 };
  for (const entry of entries) {
    for (const filter of FILTERS) {
      if (filter !== 'all' && entry.kind !== 'output' && matches(filter, entry)) counts[filter] += 1;
    }
  }
  return counts;
}

const MAX_TITLE = 120;
/** So much of a line is read for its title: taking marks from a long row of them would hold the page up. */
const MAX_READ = 10 * MAX_TITLE;

/** A line of Markdown as plain words. An underscore within a word belongs to it, as in ERRAND_URL. */
const withoutMarks = (line: string): string =>
  line.replace(/[*`#]+/g, '').replace(/(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '');

const titleOf = (entries: readonly FeedEntry[], prompt: RunPrompt | null): string => {
  const words = entries.find(({ kind }) => kind === 'message') ?? entries.find(({ kind }) => kind !== 'status');
  const [line = ''] = (words?.text ?? prompt?.words ?? prompt?.text ?? 'Start').trim().split('\n');
  return withoutMarks(line.slice(0, MAX_READ)).slice(0, MAX_TITLE);
};

/** A turn begins with each run, with a message of a person, and with a message of the agent after other work. */
const begins = (entry: FeedEntry, before: FeedEntry | undefined): boolean =>
  before === undefined ||
  entry.execution_id !== before.execution_id ||
  (messageIn(entry) !== null && messageIn(before) === null) ||
  (entry.kind === 'message' && !['message', 'thought', 'status'].includes(before.kind));

/** A turn of a run that has been given its prompt and has written nothing yet. */
const silentTurn = (prompt: RunPrompt): Turn => {
  const at = Date.parse(prompt.at);
  return { id: `${prompt.execution_id}:0`, title: titleOf([], prompt), prompt, entries: [], from: at, to: at };
};

/** The feed cut into turns, each run with the prompt that it was given. */
export function turnsOf(entries: readonly FeedEntry[], prompts: readonly RunPrompt[] = []): readonly Turn[] {
  const parts: FeedEntry[][] = [];
  let before: FeedEntry | undefined;
  for (const entry of entries) {
    const part = parts.at(-1);
    if (part === undefined || begins(entry, before)) parts.push([entry]);
    else part.push(entry);
    before = entry;
  }
  const given = new Map(prompts.map((prompt) => [prompt.execution_id, prompt]));
  const turns = parts.map((part): Turn => {
    const [first] = part;
    const prompt = first?.seq === 1 ? (given.get(first.execution_id) ?? null) : null;
    return {
      // What is loaded later comes before: the last entry of a turn never changes its turn, but the last turn grows.
      id: `${first?.execution_id}:${first?.seq}`,
      title: titleOf(part, prompt),
      prompt,
      entries: part,
      from: Date.parse(first?.at ?? ''),
      to: Date.parse(part.at(-1)?.at ?? ''),
    };
  });
  const withEntries = new Set(entries.map(({ execution_id }) => execution_id));
  return [...turns, ...prompts.filter(({ execution_id }) => !withEntries.has(execution_id)).map(silentTurn)];
}

/** What a turn holds, for its head: 38 calls, 31 edits. */
export function holdsOf({ entries }: Turn): string {
  const calls = entries.filter(({ kind }) => kind === 'tool_call' || kind === 'command').length;
  const edits = entries.filter(({ kind }) => kind === 'edit').length;
  return [calls > 0 && plural(calls, 'call'), edits > 0 && plural(edits, 'edit')].filter(Boolean).join(', ');
}
