import type { MergeMode } from './git-job.ts';
import { visible } from './visible-text.ts';

const MAX_FIRST_LINE = 200;
const MAX_MESSAGE = 10_000;

/** What a template may name in braces. */
export interface MergeFacts {
  /** Key of the task, such as WEB-12; null for a task without one. */
  readonly key: string | null;
  readonly title: string;
  /** Key or id of the attempt. */
  readonly attempt: string;
  readonly executor: string;
  readonly branch: string;
  readonly target: string;
  /** Summary of the work; null when there is none. */
  readonly summary: string | null;
  /** People and agents besides the author, as `Name <address>`. */
  readonly co_authors?: readonly string[];
}

const FIELD = /\{(key|title|attempt|executor|branch|target|summary)\}/g;

const BUILT_IN = {
  squash: '{title} ({key})\n\n{summary}\n\nErrand-Attempt: {attempt}',
  merge: 'Merge {key}: {title}\n\nErrand-Attempt: {attempt}',
} as const;

/** The message of a merge. A rebase makes no commit of its own, except where it must squash. */
export function mergeMessage(mode: MergeMode, facts: MergeFacts, template: string | null = null): string {
  const wanted = template ?? BUILT_IN[mode === 'merge' ? 'merge' : 'squash'];
  // Filled in one step: a title with braces is no template.
  const filled = withoutKey(wanted, facts.key).replaceAll(FIELD, (_, name: keyof typeof VALUES) =>
    cleaned(VALUES[name](facts), name === 'summary'),
  );
  const trailers = (facts.co_authors ?? []).map((one) => `Co-authored-by: ${cleaned(one, false)}`);
  const separator = /\n[\w-]+: [^\n]*$/.test(filled.trimEnd()) ? '\n' : '\n\n';
  const text = trailers.length === 0 ? filled : `${filled.trimEnd()}${separator}${trailers.join('\n')}`;
  return shortened(cleaned(text, true));
}

const VALUES = {
  key: ({ key }: MergeFacts) => key ?? '',
  title: ({ title }: MergeFacts) => title,
  attempt: ({ attempt }: MergeFacts) => attempt,
  executor: ({ executor }: MergeFacts) => executor,
  branch: ({ branch }: MergeFacts) => branch,
  target: ({ target }: MergeFacts) => target,
  summary: ({ summary }: MergeFacts) => summary ?? '',
};

/** Without a key no empty brackets are left. */
const withoutKey = (template: string, key: string | null): string =>
  key === null ? template.replaceAll(/ ?\(\{key\}\)| ?\{key\}(?=:)/g, '') : template;

/** Without characters that nobody sees, and without empty lines in a row. */
function cleaned(text: string, has_lines: boolean): string {
  const lines = visible(text.replaceAll('\r\n', '\n'));
  return (
    has_lines ? lines.replaceAll(/[ \t]+$/gm, '').replaceAll(/\n{3,}/g, '\n\n') : lines.replaceAll(/\s+/g, ' ')
  ).trim();
}

function shortened(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const line = first.length <= MAX_FIRST_LINE ? first : `${first.slice(0, MAX_FIRST_LINE - 1).trimEnd()}…`;
  return [line, ...rest].join('\n').slice(0, MAX_MESSAGE);
}
