import { z } from 'zod';
import { LayoutDraft } from '#domain/blocks';
import { naming, ProjectId } from '#domain/ids';
import { MAX_LABELS } from '#domain/project';
import { sanitizeHtml } from '#domain/rich-text';
import { text } from '#domain/text';
import { MAX_TITLE_CHARACTERS, Priority } from '#domain/work-item';

/** Ids of the tracker, which may be another system: any short text. */
const trackerId = z.string().min(1).max(64);

const date = z
  .string()
  .refine(
    (value) => value === '' || (z.iso.date().safeParse(value).success && !value.startsWith('0000')),
    'must be a day that exists, as YYYY-MM-DD',
  )
  .meta({ pattern: String.raw`^(\d{4}-\d{2}-\d{2})?$` });

const MAX_ASSIGNEES = 50;
const MAX_SENT_CHARACTERS = 100_000;
const MAX_KEPT_CHARACTERS = 50_000;

/** HTML, sanitized while the arguments are checked: sanitizing is slow, and inside the transaction every writer would wait for it. */
const html = (min: number) =>
  z
    .string()
    .min(min)
    .max(MAX_SENT_CHARACTERS, { abort: true })
    .overwrite((value) => sanitizeHtml(value).trim())
    .check(({ value, issues }) => {
      if (value.length <= MAX_KEPT_CHARACTERS) return;
      const message = `must be at most ${MAX_KEPT_CHARACTERS} characters long once it is cleaned, not ${value.length}`;
      issues.push({ code: 'custom', input: value, message });
    })
    .brand<'CleanHtml'>();

/** The fields that the tools of the tracker share. */
export const taskerFields = {
  project_id: ProjectId.describe('Project, from tasker_list_projects.'),
  issue_id: naming('work_item', trackerId.describe('Issue, from tasker_search_issues.')),
  name: text(1, MAX_TITLE_CHARACTERS).describe('One line: 1 to 255 characters.'),
  description_html: html(0).describe(
    'What and why, as simple HTML (&lt; for a < that is no tag): at most 100,000 characters; "" for none.',
  ),
  comment_html: html(1).describe('Simple HTML or plain text: 1 to 100,000 characters.'),
  detail_layout: LayoutDraft.describe('All blocks of the issue. Needs issue:structured_blocks:write.'),
  state_id: trackerId.describe('State: id in states of tasker_get_project_context.'),
  priority: Priority.describe('Urgency.'),
  label_ids: z
    .array(trackerId)
    .max(MAX_LABELS.of_issue)
    .describe('Ids in labels of tasker_get_project_context; at most 50.'),
  assignee_ids: z
    .array(naming('user', z.string().min(1).max(200)))
    .max(MAX_ASSIGNEES)
    .describe('Ids of active members of tasker_get_project_context; at most 50.'),
  start_date: date.describe('Begin, YYYY-MM-DD; "" or null for none.'),
  target_date: date.describe('Due, YYYY-MM-DD; "" or null for none.'),
  parent_id: naming('work_item', z.string().max(200)).describe(
    'Issue of the same project that it is part of; "" or null for none.',
  ),
  expected_version: z
    .int()
    .min(1)
    .optional()
    .describe('version that you have read: version_conflict when it has changed.'),
};
