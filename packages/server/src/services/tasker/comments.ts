import { refusal } from '#domain/refusal';
import { type CleanHtml, textOfClean } from '#domain/rich-text';
import type { TrackerWork } from '#services/work';
import type { Issue, IssueComment, TaskerAdapter } from './adapter.ts';
import { issueOf } from './lookup.ts';

export function createComments(adapter: TaskerAdapter) {
  return {
    append: async (
      work: TrackerWork,
      issue_id: string,
      comment_html: CleanHtml,
    ): Promise<{ readonly issue: Issue; readonly comment: IssueComment }> => {
      if (textOfClean(comment_html) === '') throw refusal('comment_html', 'must hold some text');
      const issue = await issueOf(adapter, work, issue_id);
      const comment = await adapter.comment(work, issue, { comment_html });
      work.changed(null, comment);
      return { issue, comment };
    },
  };
}
