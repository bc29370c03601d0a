import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Twist } from './draft.ts';

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at}\n`);
const text = (change: Readonly<Record<number, string>> = {}) => LINES.map((line, at) => change[at] ?? line).join('');

const HOOKS =
  'pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit post-merge post-checkout pre-rebase post-rewrite reference-transaction post-index-change update pre-receive post-receive pre-auto-gc push-to-checkout pre-push'.split(
    ' ',
  );

/** Situations in which a merge goes through. */
export const FINE: readonly Twist[] = [
  { name: 'the target has moved on', change: ({ target }) => Object.assign(target, { 'm.txt': 'm\n' }) },
  {
    name: 'both changed other lines of a file',
    change: (draft) => {
      draft.base['both.txt'] = text();
      draft.target['both.txt'] = text({ 1: 'target\n' });
      draft.work['both.txt'] = text({ 10: 'work\n' });
    },
  },
  {
    name: 'a renamed file was changed in the target',
    change: (draft) => {
      draft.base['old-name.txt'] = text();
      draft.target['old-name.txt'] = text({ 1: 'target\n' });
      Object.assign(draft.work, { 'old-name.txt': null, 'new-name.txt': text() });
    },
  },
  {
    name: 'an untracked and an ignored file elsewhere',
    not: ['bare'],
    change: ({ acts }) =>
      acts.push(({ tree }) => {
        mkdirSync(join(tree, 'keep'), { recursive: true });
        writeFileSync(join(tree, 'keep/notes.md'), 'notes\n');
        writeFileSync(join(tree, 'x.log'), 'log\n');
      }),
  },
  {
    name: 'a file becomes a folder',
    change: (draft) => {
      draft.base.thing = 'file\n';
      Object.assign(draft.work, { thing: null, 'thing/in.txt': 'in\n' });
    },
  },
  {
    name: 'a folder becomes a file',
    change: (draft) => {
      draft.base['box/in/x.txt'] = 'x\n';
      Object.assign(draft.work, { 'box/in/x.txt': null, box: 'file\n' });
    },
  },
  {
    name: 'removed files leave no empty folder, and a folder with others stays',
    change: (draft) => {
      Object.assign(draft.base, { 'deep/er/f.txt': 'f\n', 'mixed/f.txt': 'f\n' });
      Object.assign(draft.work, { 'deep/er/f.txt': null, 'mixed/f.txt': null });
      if (draft.place !== 'bare') draft.acts.push(({ tree }) => writeFileSync(join(tree, 'mixed/own.txt'), 'own\n'));
    },
  },
  {
    name: 'links',
    change: (draft) => {
      Object.assign(draft.base, { 'was-file.txt': 'x\n', 'was-link': 'link:a.txt' });
      Object.assign(draft.work, { 'was-file.txt': 'link:nowhere', 'was-link': 'file\n', 'new-link': 'link:../..' });
    },
  },
  {
    name: 'modes',
    change: (draft) => {
      Object.assign(draft.base, { 'tool.sh': '#!/bin/sh\n', 'old.sh': 'run:#!/bin/sh\n' });
      Object.assign(draft.work, { 'tool.sh': 'run:#!/bin/sh\n', 'old.sh': '#!/bin/sh\n' });
    },
  },
  {
    name: 'line ends by configuration',
    change: ({ settings, work }) => {
      settings.push(['core.autocrlf', 'true']);
      work['crlf.txt'] = 'a\nb\n';
    },
  },
  {
    name: 'line ends by an attribute that comes with the merge',
    change: ({ work }) => Object.assign(work, { 'win/.gitattributes': '*.bat eol=crlf\n', 'win/a.bat': 'a\nb\n' }),
  },
  {
    name: 'a filter for a file that stays',
    change: ({ attributes, base }) => {
      attributes.push('*.dat filter=lfs');
      base['y.dat'] = 'pointer\n';
    },
  },
  {
    name: 'hooks of every kind',
    change: ({ last_acts }) =>
      last_acts.push(({ git_dir, canary }) => {
        mkdirSync(join(git_dir, 'hooks'), { recursive: true });
        for (const name of HOOKS) {
          writeFileSync(join(git_dir, 'hooks', name), `#!/bin/sh\ntouch '${canary}'\nexit 1\n`);
          chmodSync(join(git_dir, 'hooks', name), 0o755);
        }
      }),
  },
  {
    name: 'commits are signed',
    change: ({ acts }) =>
      acts.push(({ git, canary, folder }) => {
        const program = join(folder, 'gpg');
        writeFileSync(program, `#!/bin/sh\ntouch '${canary}'\nexit 1\n`);
        chmodSync(program, 0o755);
        git('config', 'commit.gpgSign', 'true');
        git('config', 'gpg.program', program);
      }),
  },
  {
    name: 'a merge driver',
    change: ({ place, attributes, base, target, work, acts }) => {
      attributes.push('*.gen merge=evil');
      base['x.gen'] = text();
      target['x.gen'] = text({ 1: 'target\n' });
      work['x.gen'] = text({ 10: 'work\n' });
      acts.push(({ git, canary, source }) => {
        git('config', 'merge.evil.driver', `touch '${canary}'; exit 1`);
        const info = join(source, place === 'bare' ? '' : '.git', 'info');
        mkdirSync(info, { recursive: true });
        writeFileSync(join(info, 'attributes'), '*.gen merge=evil\n');
      });
    },
  },
  {
    name: 'a union',
    change: ({ attributes, base, target, work }) => {
      attributes.push('CHANGES merge=union');
      base.CHANGES = 'old\n';
      target.CHANGES = 'old\ntarget\n';
      work.CHANGES = 'old\nwork\n';
    },
  },
  { name: 'packed references', change: ({ acts }) => acts.push(({ git }) => git('pack-refs', '--all')) },
  { name: 'SHA-256', change: ({ init }) => init.push('--object-format=sha256') },
  {
    name: 'names in latin1',
    change: ({ work }) => Object.assign(work, { 'caf\xe9/\xe9 x.txt': 'x\n', 'odd\tname "q".txt': 'x\n' }),
  },
  { name: 'a shallow history', change: (draft) => Object.assign(draft, { is_shallow: true }) },
  {
    name: 'a stash',
    not: ['bare'],
    change: ({ acts }) =>
      acts.unshift(({ tree, git }) => {
        writeFileSync(join(tree, 'dirty.txt'), 'stashed\n');
        git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'stash', '-q');
      }),
  },
];
