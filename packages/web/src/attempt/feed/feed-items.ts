import type { FeedEntry } from 'errand/client';
import { entryKey, type RunPrompt } from '../../api/attempt-feed.ts';
import { type Filter, matches, type Turn } from './turns.ts';

/** Silence that is worth a line of its own. */
const QUIET_MS = 60_000;
/** Turns at the end that are open unless a person folds them. */
const OPEN_TURNS = 2;

/** A line of the feed. */
export type FeedItem =
  | { readonly kind: 'turn'; readonly key: string; readonly turn: Turn; readonly at: number; readonly isOpen: boolean }
  | { readonly kind: 'prompt'; readonly key: string; readonly prompt: RunPrompt }
  | { readonly kind: 'entry'; readonly key: string; readonly entry: FeedEntry; readonly isLast: boolean }
  | { readonly kind: 'gap'; readonly key: string; readonly ms: number; readonly isWait: boolean };

export interface Folds {
  /** The turns that a person has folded or unfolded. */
  readonly chosen: ReadonlyMap<string, boolean>;
  /** Whether all other turns are folded. */
  readonly all: boolean;
  /** Entries without a row of their own: the output that is shown with its command. */
  readonly hidden?: ReadonlySet<string>;
}

/** Whether a turn is unfolded: as a person left it, else only the newest ones. */
const isOpenIn = (turns: readonly Turn[], at: number, { chosen, all }: Folds): boolean =>
  chosen.get(turns[at]?.id ?? '') ?? (!all && at >= turns.length - OPEN_TURNS);

/** The lines of the feed: heads of turns, entries of the open ones, and long silences between them. */
export function itemsOf(turns: readonly Turn[], filter: Filter, folds: Folds): readonly FeedItem[] {
  const items: FeedItem[] = [];
  let before: Turn | undefined;
  turns.forEach((turn, at) => {
    const shown = turn.entries.filter(
      (entry) => (filter === 'all' || matches(filter, entry)) && folds.hidden?.has(entryKey(entry)) !== true,
    );
    const prompt = filter === 'all' ? turn.prompt : null;
    if (shown.length === 0 && prompt === null) return;
    const ms = before === undefined ? 0 : turn.from - before.to;
    // After a question the agent waits for a person.
    const isWait = before?.entries.at(-1)?.kind === 'question';
    before = turn;
    if (ms > QUIET_MS) items.push({ kind: 'gap', key: `gap ${turn.id}`, ms, isWait });
    // Who filters wants to see what was found.
    const isOpen = filter === 'all' ? isOpenIn(turns, at, folds) : (folds.chosen.get(turn.id) ?? true);
    items.push({ kind: 'turn', key: turn.id, turn, at, isOpen });
    if (!isOpen) return;
    if (prompt !== null) items.push({ kind: 'prompt', key: `prompt ${prompt.execution_id}`, prompt });
    shown.forEach((entry, index) => {
      const isLast = index === shown.length - 1;
      items.push({ kind: 'entry', key: `entry ${entry.execution_id}:${entry.seq}`, entry, isLast });
    });
  });
  return items;
}
