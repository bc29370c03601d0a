import type { TrackerWork } from '#services/work';
import type { Issue, IssueComment, TaskerAdapter } from './adapter.ts';
import { issueOf } from './lookup.ts';
import { readableHtml } from './words.ts';

export function createComments(adapter: TaskerAdapter) {
  return {
    append: async (
      work: TrackerWork,
      issue_id: string,
      html: string,
    ): Promise<{ readonly issue: Issue; readonly comment: IssueComment }> => {
      const issue = await issueOf(adapter, work, issue_id);
      const comment = await adapter.comment(work, issue, readableHtml('comment_html', html));
      work.changed(null, comment);
      return { issue, comment };
    },
  };
}
