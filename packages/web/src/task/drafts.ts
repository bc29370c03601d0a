/** What was typed and not sent, by task: it outlives a look at another task. */
const drafts = new Map<string, string>();

export const draftOf = (task_id: string): string => drafts.get(task_id) ?? '';

/** The text that stays in the box after the sent text was taken out: what was typed behind it meanwhile. */
export const restAfter = (typed: string, sent: string): string =>
  typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;

/** Keeps what was typed and not sent, for the time that the page is open. */
export function keepDraft(task_id: string, text: string): void {
  if (text === '') drafts.delete(task_id);
  else drafts.set(task_id, text);
}
