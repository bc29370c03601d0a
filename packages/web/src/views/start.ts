import type { HostState } from './host.ts';

export type Start = { readonly kind: 'page'; readonly path: string } | { readonly kind: 'note'; readonly text: string };

const note = (text: string): Start => ({ kind: 'note', text });
const page = (path: string): Start => ({ kind: 'page', path });

const textIn = (value: unknown, field: string): string | null => {
  const found: unknown = Object(value)[field];
  return typeof found === 'string' && found !== '' ? found : null;
};

/**
 * What a view shows first: the task or the project that the call named, or why there is nothing to show: cancelled,
 * refused, none named.
 */
export function startOf({ input, result, cancelled, failure }: HostState): Start {
  if (failure !== null) return note(`This chat did not open the view: ${failure}`);
  if (cancelled) return note('The call was cancelled.');
  const said = result?.structuredContent;
  if (result?.isError === true) {
    const { error }: { readonly error?: unknown } = Object(said);
    return note(textIn(error, 'message') ?? 'The call failed.');
  }
  const task = textIn(said, 'task_id') ?? textIn(input, 'task_id');
  if (task !== null) return page(`/t/${encodeURIComponent(task)}`);
  const project = textIn(input, 'project_id');
  if (project !== null) return page(`/p/${encodeURIComponent(project)}`);
  return note(input === null && result === null ? 'Waiting for the answer…' : 'The call named no project and no task.');
}
