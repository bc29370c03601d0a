import type { Caller } from '#domain/caller';
import type { Exchange } from '#domain/conversation';
import type { Store } from '#store/store';
import type { Subject } from './authorize.ts';
import type { Answer, Call } from './gateway.ts';

const MAX_KEPT = 2_000;
const MAX_KEPT_CHARACTERS = 8 * 1024 * 1024;
/** The most characters of arguments under which an answer is kept. */
const MAX_INPUT_CHARACTERS = 1_000;

/** The answer to a read, with what the gateway writes about it. */
export interface Kept {
  readonly answer: Answer;
  /** The messages that each such call leaves; null for none. */
  readonly exchange: Exchange | null;
  readonly named: Subject;
}

/** Where the answer to a call is kept. It is taken before the call reads, so that a change meanwhile is not missed. */
export interface Keeping {
  readonly kept: Kept | undefined;
  readonly keep: (kept: Omit<Kept, 'answer'> & { readonly json: string }) => Answer;
}

/** A key of the arguments; null for arguments that cannot be one. */
function keyOf({ tool, input }: Call): string | null {
  try {
    const text = JSON.stringify(input);
    return text === undefined || text.length > MAX_INPUT_CHARACTERS ? null : `${tool.full_name} ${text}`;
  } catch {
    return null;
  }
}

/**
 * Keeps answers to reads that are asked again and again, as agents poll their lists, until anything is written. An answer
 * belongs to the caller, which is another object as soon as a right of the token has changed.
 */
export function createKeptAnswers(version: Store['version']) {
  let answers = new WeakMap<Caller, Map<string, Kept>>();
  let seen: number | undefined;
  let count = 0;
  let characters = 0;

  function forget(): void {
    answers = new WeakMap();
    count = 0;
    characters = 0;
  }

  function add(caller: Caller, key: string, kept: Kept): void {
    const size = key.length + 2 * kept.answer.json.length;
    if (count >= MAX_KEPT || characters + size > MAX_KEPT_CHARACTERS) forget();
    const known = answers.get(caller) ?? new Map<string, Kept>();
    answers.set(caller, known.set(key, kept));
    count += 1;
    characters += size;
  }

  /** Null for a call whose answer is not kept. */
  return (call: Call): Keeping | null => {
    if (version === null || !call.tool.steady || call.caller.fault !== null) return null;
    const key = keyOf(call);
    if (key === null) return null;
    const now = version();
    if (now !== seen) forget();
    seen = now;
    return {
      kept: answers.get(call.caller)?.get(key),
      keep: ({ json, exchange, named }) => {
        const answer: Answer = { ok: true, json, quoted: JSON.stringify(json) };
        // Something was written since the call began: the answer may be from before or after it.
        if (seen === now) add(call.caller, key, { answer, exchange, named });
        return answer;
      },
    };
  };
}
