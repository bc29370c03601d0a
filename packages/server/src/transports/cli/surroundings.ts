import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { takeHints } from '#gateway/take-hints';
import type { Surroundings } from '#transports/mcp/client-hints';

interface Around {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder; throws where it was removed. */
  readonly cwd: () => string;
}

interface Worktree {
  readonly folder: string;
  readonly branch: string | undefined;
}

const CLAUDE_CODE = 'claude-code';
const MAX_BYTES = 4_096;

/** A small file's text. Whatever else goes by its name, such as a pipe, would keep us waiting. */
function smallFile(path: string): string | null {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(path, 'utf8') : null;
  } catch {
    return null;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Where git keeps the state of a worktree: `.git` itself, or the folder that a file of this name points to. */
function stateFolder(worktree: string): string | null {
  const path = join(worktree, '.git');
  if (isFolder(path)) return path;
  const [, target] = /^gitdir: (.+)$/m.exec(smallFile(path) ?? '') ?? [];
  return target === undefined ? null : resolve(worktree, target.trim());
}

/** Read by hand: a git process would run what the configuration of the repository names. */
function worktreeAround(folder: string): Worktree | null {
  for (let at = folder; ; at = dirname(at)) {
    const state = stateFolder(at);
    const head = state === null ? null : smallFile(join(state, 'HEAD'));
    if (head !== null) return { folder: at, branch: /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]?.trim() };
    if (at === dirname(at)) return null;
  }
}

function placeOf(cwd: Around['cwd']): Partial<Worktree> {
  try {
    const folder = cwd();
    return worktreeAround(folder) ?? { folder };
  } catch {
    return {};
  }
}

/** What the process can see of the agent that started it: its session, and where it works. */
export function surroundingsOf({ env, cwd }: Around): Surroundings {
  const place = placeOf(cwd);
  const anyone = takeHints({ ...place });
  const claude = takeHints({ ...place, session_id: env.CLAUDE_CODE_SESSION_ID });
  // Another agent that Claude Code started inherits the variable, and its session is another one.
  return (client) => (client === null || client.name === CLAUDE_CODE ? claude : anyone);
}
