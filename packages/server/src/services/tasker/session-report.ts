import { blocksOf, DetailLayout, layoutOf } from '#domain/blocks';
import type { RunId } from '#domain/ids';
import { patchBlocks } from '#domain/patch-blocks';
import { htmlOf } from '#domain/rich-text';
import { ErrandError } from '#errors';
import type { Ports } from '#services/ports';
import type { TrackerWork } from '#services/work';
import type { Issue, IssueComment, TaskerAdapter } from './adapter.ts';
import { today } from './today.ts';

interface Report {
  readonly session_id: RunId;
  readonly words: string;
}

interface Reported {
  readonly comment: IssueComment;
  /** False when the note was cut or left out, because the card has no room for it. */
  readonly is_note_whole: boolean;
}

/** The limit of a note: together with its date it fills a block. */
const MAX_NOTE_CHARACTERS = 9_900;
const NO_ROOM: ReadonlySet<string> = new Set(['conflict', 'validation_error']);

/** Cuts a text to a note, in which each further line is indented by two. A cut is marked. */
function noteOf(text: string): string {
  let size = 0;
  let end = 0;
  for (const sign of text) {
    size += sign === '\n' ? 3 : sign.length;
    if (size > MAX_NOTE_CHARACTERS) return `${text.slice(0, end).trimEnd()}…`;
    end += sign.length;
  }
  return text;
}

/** Puts the report of a session on its issue: as a note among its blocks, and as a comment, which has no limit. */
export function createSessionReport({ ids }: Pick<Ports, 'ids'>, adapter: TaskerAdapter) {
  /** Adds the note. Returns whether all of the text fits. It names the session, so a repeated call adds no other. */
  async function note(work: TrackerWork, issue: Issue, { session_id, words }: Report): Promise<boolean> {
    const mark = `work session ${session_id}: `;
    const text = noteOf(`${mark}${words}`);
    const isWhole = text === `${mark}${words}`;
    const before = blocksOf(issue.detail_layout);
    // Only where this call may have got half-way before: in Errand's own store anyone could have written that text.
    if (!adapter.is_local && before.some((block) => block.type === 'text' && block.text.includes(mark))) return isWhole;

    const patch = { action: 'append_implementation_note', text } as const;
    const after = layoutOf(patchBlocks(before, patch, { id: ids, date: await today(work) }));
    if (!DetailLayout.safeParse(after).success) return false;
    try {
      const changed = await adapter.update(work, issue, { detail_layout: after });
      work.changed(issue, changed);
      return isWhole;
    } catch (error) {
      if (error instanceof ErrandError && NO_ROOM.has(error.code)) return false;
      throw error;
    }
  }

  return async (work: TrackerWork, issue: Issue, report: Report): Promise<Reported> => {
    const is_note_whole = await note(work, issue, report);
    const comment = await adapter.comment(work, issue, {
      comment_html: htmlOf(report.words),
      // Not the id of the call: finishing the session again with other words must not add another comment.
      only_one_of: `work-session:${report.session_id}`,
    });
    return { comment, is_note_whole };
  };
}
