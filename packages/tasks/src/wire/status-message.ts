import { isObject, type JsonObject } from '#json';
import type { TaskRecord } from '#task';

/** The longest status message: a list of tasks must not contain the whole outputs of failed ones. */
const MAX_LENGTH = 2_000;

/** Returns the status text for a person: the message that was set, else the reason of a failure, else the progress. */
export function statusMessageOf({
  status_message,
  outcome,
  progress,
}: Pick<TaskRecord, 'status_message' | 'outcome' | 'progress'>): string | null {
  if (status_message !== null) return shorten(status_message);
  switch (outcome?.kind) {
    case undefined:
      return progress?.message === undefined ? null : shorten(progress.message);
    case 'tool_error':
      return shorten(textOf(outcome.result)) || null;
    case 'rpc_error':
      return shorten(outcome.error.message) || null;
    default:
      return null;
  }
}

/** Returns the text of a tool result. */
function textOf({ content }: { readonly content?: unknown } & JsonObject): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = blocks.map((block) => (isObject(block) ? block.text : undefined));
  return texts.filter((text) => typeof text === 'string').join('\n');
}

const shorten = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
