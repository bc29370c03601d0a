import { readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { takeClientFacts } from '#gateway/take-client-facts';
import type { Surroundings } from '#transports/mcp/client-facts';

interface Around {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the working folder; throws when it was removed. */
  readonly cwd: () => string;
}

interface Worktree {
  readonly folder: string;
  readonly branch: string | undefined;
}

const CLAUDE_CODE = 'claude-code';
const MAX_BYTES = 4_096;

/** Reads a small regular file. A pipe or another special file could block for ever. */
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

/** Returns the folder of a worktree's git state: `.git` itself, or the folder that a `.git` file names. */
function stateFolder(worktree: string): string | null {
  const path = join(worktree, '.git');
  if (isFolder(path)) return path;
  const [, target] = /^gitdir: (.+)$/m.exec(smallFile(path) ?? '') ?? [];
  return target === undefined ? null : resolve(worktree, target.trim());
}

/** Reads the files directly: a git process would run programs that the repository's configuration names. */
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

/** Collects what the process knows of the agent that started it: its session and its working folder. */
export function surroundingsOf({ env, cwd }: Around): Surroundings {
  const place = placeOf(cwd);
  const anyone = takeClientFacts({ ...place });
  const claude = takeClientFacts({ ...place, session_id: env.CLAUDE_CODE_SESSION_ID });
  // Another agent that Claude Code starts inherits the variable, but has a session of its own.
  return (client) => (client === null || client.name === CLAUDE_CODE ? claude : anyone);
}
