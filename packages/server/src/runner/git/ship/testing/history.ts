import { execFileSync } from 'node:child_process';

/** The files of a commit. A text that begins with `link:` is a symbolic link, `run:` an executable, `sub:` a submodule. */
export type Files = Readonly<Record<string, string>>;

export interface Planned {
  readonly name: string;
  /** The name of an earlier commit. */
  readonly from?: string;
  readonly merge?: string;
  readonly files: Files;
  readonly message?: string;
  /** The references that point to it. */
  readonly refs?: readonly string[];
}

const KINDS: Readonly<Record<string, string>> = { 'link:': '120000', 'run:': '100755', 'sub:': '160000' };

/** Makes commits with one process of git. Names and texts are bytes (latin1). */
export function makeHistory(git_dir: string, plan: readonly Planned[]): ReadonlyMap<string, string> {
  const marks = new Map(plan.map(({ name }, at) => [name, `:${at + 1}`]));
  const data = (text: string) => `data ${text.length}\n${text}\n`;
  const stream = plan.flatMap(({ name, from, merge, files, message = name, refs = [] }, at) => [
    `commit refs/errand-test/${name}\nmark ${marks.get(name)}\n`,
    `author Grace <grace@example.com> ${1_700_000_000 + at} +0100\n`,
    `committer Grace <grace@example.com> ${1_700_000_000 + at} +0100\n`,
    data(message),
    ...(from === undefined ? [] : [`from ${marks.get(from)}\n`]),
    ...(merge === undefined ? [] : [`merge ${marks.get(merge)}\n`]),
    'deleteall\n',
    ...Object.entries(files).map(([path, text]) => fileCommand(path, text)),
    ...refs.map((ref) => `reset ${ref}\nfrom ${marks.get(name)}\n\n`),
    `get-mark ${marks.get(name)}\n`,
  ]);
  const out = execFileSync('git', ['fast-import', '--quiet', '--date-format=raw', '--force'], {
    cwd: git_dir,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    input: Buffer.from(stream.join(''), 'latin1'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const made = out.toString().trim().split('\n');
  return new Map(plan.map(({ name }, at) => [name, made[at] ?? '']));
}

function fileCommand(path: string, text: string): string {
  const [kind = '', mode = '100644'] = Object.entries(KINDS).find(([start]) => text.startsWith(start)) ?? [];
  const content = text.slice(kind.length);
  return mode === '160000'
    ? `M ${mode} ${content} ${path}\n`
    : `M ${mode} inline ${path}\ndata ${content.length}\n${content}\n`;
}
