import type { Answer, Arguments } from '../client.ts';
import { newId, type Site } from './site.ts';
import type { AgentClient } from './ways.ts';

/** A text field of a tool. `html` fields keep markup, the others are plain. */
export interface TextField {
  readonly title: string;
  readonly html: boolean;
  readonly tool: string;
  readonly args: (text: string, at: Site & { readonly work_session_id: string }) => Arguments;
}

const block = (text: string) => ({ id: newId(), type: 'text', title: text, text });
const checker = (text: string) => ({
  id: newId(),
  type: 'checker',
  title: text,
  items: [{ id: newId(), text, checked: false }],
});
const layout = (text: string) => ({ nodedc_structured_blocks: { version: 1, blocks: [block(text), checker(text)] } });
const blocks = 'tasker_update_structured_blocks';

const field = (tool: string, name: string, args: TextField['args'], html = false): TextField => ({
  title: `${tool} ${name}`,
  html,
  tool,
  args,
});

export const TEXT_FIELDS: readonly TextField[] = [
  field('tasker_create_issue', 'name', (name, { project_id }) => ({ project_id, name })),
  field(
    'tasker_create_issue',
    'description_html',
    (description_html, { project_id }) => ({ project_id, name: 'card', description_html }),
    true,
  ),
  field('tasker_create_issue', 'detail_layout', (text, { project_id }) => ({
    project_id,
    name: 'card',
    detail_layout: layout(text),
  })),
  field('tasker_update_issue', 'name', (name, { issue_id }) => ({ issue_id, name })),
  field(
    'tasker_update_issue',
    'description_html',
    (description_html, { issue_id }) => ({ issue_id, description_html }),
    true,
  ),
  field('tasker_update_issue', 'detail_layout', (text, { issue_id }) => ({ issue_id, detail_layout: layout(text) })),
  field('tasker_append_comment', 'comment_html', (comment_html, { issue_id }) => ({ issue_id, comment_html }), true),
  field(blocks, 'append_text_block', (text, { issue_id }) => ({
    issue_id,
    action: 'append_text_block',
    title: text,
    text,
  })),
  field(blocks, 'append_checker', (text, { issue_id }) => ({
    issue_id,
    action: 'append_checker',
    title: text,
    items: [text],
  })),
  field(blocks, 'replace_blocks', (text, { issue_id }) => ({
    issue_id,
    action: 'replace_blocks',
    blocks: [block(text), checker(text)],
  })),
  field(blocks, 'append_implementation_note', (text, { issue_id }) => ({
    issue_id,
    action: 'append_implementation_note',
    text,
  })),
  field('tasker_finish_work_session', 'summary', (summary, { work_session_id }) => ({ work_session_id, summary })),
  field('tasker_finish_work_session', 'validation', (validation, { work_session_id }) => ({
    work_session_id,
    summary: 'Done',
    validation,
  })),
];

/** Stores the text in the field, and returns the card with it. */
export async function storeText(
  client: AgentClient,
  { tool, args }: TextField,
  text: string,
  at: Site & { readonly work_session_id: string },
): Promise<Answer & { readonly issue_id: string }> {
  const answer = await client.call(tool, { ...args(text, at), idempotency_key: newId() });
  const made = answer.ok ? (answer.value.issue as { readonly id: string } | undefined)?.id : undefined;
  return { ...answer, issue_id: tool === 'tasker_create_issue' ? (made ?? '') : at.issue_id };
}

/** Returns all calls with which an agent can read a card. */
export const readings = (issue_id: string, project_id: string): readonly [tool: string, args: Arguments][] => [
  ['tasker_get_issue', { issue_id }],
  ['tasker_get_issue', { issue_id, include: ['description', 'blocks', 'comments'] }],
  ['tasker_search_issues', { query: '', project_id, limit: 100 }],
  ['tasker_get_project_context', { project_id }],
  ['tasker_list_projects', {}],
  ['tasker_get_agent_instructions', { project_id }],
];

/** Returns every text in an answer, with the name of its field. */
export function textsIn(value: unknown, name = ''): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [['', key] as const, ...textsIn(inner, key)]);
}
