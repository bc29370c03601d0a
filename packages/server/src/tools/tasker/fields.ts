import { z } from 'zod';
import { LayoutDraft } from '#domain/blocks';
import { ProjectId } from '#domain/ids';
import { MOST_LABELS } from '#domain/project';
import { sanitizeHtml } from '#domain/rich-text';
import { text } from '#domain/text';
import { Priority } from '#domain/work-item';

/** Ids of the tracker, which may be another system: any short text. */
const trackerId = z.string().min(1).max(64);

const date = z
  .string()
  .refine(
    (value) => value === '' || (z.iso.date().safeParse(value).success && !value.startsWith('0000')),
    'must be a day that exists, as YYYY-MM-DD',
  )
  .meta({ pattern: String.raw`^(\d{4}-\d{2}-\d{2})?$` });

const MOST_ASSIGNEES = 50;
const LONGEST_SENT = 100_000;
const LONGEST_KEPT = 50_000;

/** HTML, cleaned while the arguments are checked: cleaning takes long, and every writer waits for a transaction. */
const html = (min: number) =>
  z
    .string()
    .min(min)
    .max(LONGEST_SENT, { abort: true })
    .overwrite((value) => sanitizeHtml(value).trim())
    .check(({ value, issues }) => {
      if (value.length <= LONGEST_KEPT) return;
      const message = `must be at most ${LONGEST_KEPT} characters long once it is cleaned, not ${value.length}`;
      issues.push({ code: 'custom', input: value, message });
    })
    .brand<'CleanHtml'>();

/** The fields that the tools of the tracker share. */
export const taskerFields = {
  project_id: ProjectId.describe('The project, by id, as tasker_list_projects gives it.'),
  issue_id: trackerId.describe('The issue, by id, as tasker_search_issues gives it.'),
  name: text(1, 255).describe('What the issue is about, in one line: 1 to 255 characters.'),
  description_html: html(0).describe(
    'What is to be done and why, as simple HTML: paragraphs, headings, lists, tables, code, links. Scripts, styles and pictures are taken out; a < that is no tag is best written as &lt;. At most 100,000 characters; an empty text takes it away.',
  ),
  comment_html: html(1).describe(
    'The comment as simple HTML, or as plain text: 1 to 100,000 characters, with something to read in it.',
  ),
  detail_layout: LayoutDraft.describe(
    'Structured blocks of the issue, all of them. Needs the scope issue:structured_blocks:write too.',
  ),
  state_id: trackerId.describe('The state, by id, as tasker_get_project_context gives it.'),
  priority: Priority.describe('How urgent it is: none, low, medium, high or urgent.'),
  label_ids: z
    .array(trackerId)
    .max(MOST_LABELS.of_issue)
    .describe('Labels of the project, by id, as tasker_get_project_context gives them; at most 50.'),
  assignee_ids: z
    .array(trackerId)
    .max(MOST_ASSIGNEES)
    .describe('Active members of the project, by id, as tasker_get_project_context gives them; at most 50.'),
  start_date: date.describe('When work begins, as YYYY-MM-DD; an empty text or null for no date.'),
  target_date: date.describe(
    'When it should be done, as YYYY-MM-DD, not before start_date; an empty text or null for no date.',
  ),
  parent_id: z
    .string()
    .max(64)
    .describe('The issue that this one is a part of, by id, in the same project; an empty text or null for none.'),
  expected_version: z
    .int()
    .min(1)
    .optional()
    .describe('The version that you have read. When the issue has another by now, the call answers version_conflict.'),
};
