import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { surroundingsOf } from './surroundings.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'errand-test-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const client = (name: string) => ({ name, title: name, version: '1' });

function folder(...parts: string[]): string {
  const path = join(root, ...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

const around = (path: string) => surroundingsOf({ env: {}, cwd: () => path })(null);

describe('the surroundings of an agent', () => {
  it('are the worktree that it works in, and its branch', () => {
    const inside = folder('repo', 'a', 'b');
    folder('repo', '.git');
    writeFileSync(join(root, 'repo/.git/HEAD'), 'ref: refs/heads/fix/the-thing\n');

    expect(around(inside)).toEqual({ folder: join(root, 'repo'), branch: 'fix/the-thing' });
  });

  it('are a linked worktree with its own branch', () => {
    const linked = folder('linked');
    folder('repo/.git/worktrees/linked');
    writeFileSync(join(linked, '.git'), 'gitdir: ../repo/.git/worktrees/linked\n');
    writeFileSync(join(root, 'repo/.git/worktrees/linked/HEAD'), 'ref: refs/heads/other\n');

    expect(around(linked)).toEqual({ folder: linked, branch: 'other' });
  });

  it('have no branch where none is checked out', () => {
    folder('repo/.git');
    writeFileSync(join(root, 'repo/.git/HEAD'), `${'0'.repeat(40)}\n`);

    expect(around(join(root, 'repo'))).toEqual({ folder: join(root, 'repo') });
  });

  it('are the folder alone without a repository, or with one that cannot be read', () => {
    const plain = folder('plain');
    const broken = folder('broken');
    writeFileSync(join(broken, '.git'), 'gitdir: /nowhere\n');
    const huge = folder('huge', '.git');
    writeFileSync(join(huge, 'HEAD'), `ref: refs/heads/${'x'.repeat(5_000)}`);

    expect(around(plain)).toEqual({ folder: plain });
    expect(around(broken)).toEqual({ folder: broken });
    expect(around(join(root, 'huge'))).toEqual({ folder: join(root, 'huge') });
  });

  it('do not wait for a pipe that is named HEAD', () => {
    folder('repo/.git');
    execFileSync('mkfifo', [join(root, 'repo/.git/HEAD')]);

    expect(around(join(root, 'repo'))).toEqual({ folder: join(root, 'repo') });
  });

  it('are nothing in a folder that was removed', () => {
    const cwd = () => {
      throw new Error('ENOENT');
    };

    expect(surroundingsOf({ env: {}, cwd })(null)).toBeUndefined();
  });

  it('hold the session of Claude Code only for that program', () => {
    const see = surroundingsOf({ env: { CLAUDE_CODE_SESSION_ID: 'abc' }, cwd: () => root });

    expect(see(client('claude-code'))).toEqual({ session_id: 'abc', folder: root });
    expect(see(null)).toEqual({ session_id: 'abc', folder: root });
    expect(see(client('opencode'))).toEqual({ folder: root });
  });
});
