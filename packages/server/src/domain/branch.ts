const MAX_BYTES = 200;

// Control characters, space, and characters that git reads as revisions, patterns or escapes.
const NEVER_IN_A_NAME = /[\0-\x20\x7F~^:?*[\\]/;

/** The reason why git would refuse the branch name, or read it as something else; null when the name is good. */
export function branchProblem(name: string): string | null {
  if (name === '') return 'must not be empty';
  if (!name.isWellFormed()) return 'must be well-formed text';
  if (new TextEncoder().encode(name).length > MAX_BYTES) return `must have at most ${MAX_BYTES} bytes`;
  if (name.startsWith('-')) return 'cannot start with a dash';
  if (name === '@' || name === 'HEAD') return `cannot be ${name}, which is whatever is checked out`;
  if (NEVER_IN_A_NAME.test(name)) return 'cannot have spaces, control characters or any of ~ ^ : ? * [ \\';
  if (name.includes('..') || name.includes('@{')) return 'cannot have .. or @{ in it';
  if (name.endsWith('.')) return 'cannot end with a dot';
  const parts = name.split('/');
  if (parts.includes('')) return 'cannot start or end with a slash, or have two in a row';
  if (parts.some((part) => part.startsWith('.'))) return 'cannot have a part that starts with a dot';
  return parts.some((part) => part.endsWith('.lock')) ? 'cannot have a part that ends with .lock' : null;
}

const MAX_OF_TITLE = 40;

/** The branch of an attempt: named after the task; the end of the attempt's id makes it unique. */
export function attemptBranch(title: string, attempt_id: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_OF_TITLE)
    .replace(/-$/, '');
  return `errand/${words === '' ? 'task' : words}-${attempt_id.slice(-6)}`;
}
