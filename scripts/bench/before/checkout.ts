import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import process, { execPath, stderr } from 'node:process';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../test/e2e/program.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const INSTALL = [
  'install',
  '--no-save',
  '--omit=dev',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
];

/** The program of a commit, built in a folder that is removed afterwards, also when a signal ends this process. */
export interface Checkout extends AsyncDisposable {
  readonly commit: string;
  readonly program: string;
  readonly folder: string;
}

/** Copies a commit into a temporary folder, installs its own packages there and builds it. */
export async function checkOut(name: string): Promise<Checkout> {
  const { stdout } = await run('git', ['-C', ROOT, 'rev-parse', '--verify', '--short', `${name}^{commit}`]);
  const commit = stdout.trim();
  await using opened = new AsyncDisposableStack();
  const { path } = opened.use(await temporaryFolder());
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  opened.defer(() => void process.off('exit', remove));

  // Not `git worktree`: the repository would keep an entry for it if this program were killed.
  const archive = join(path, 'commit.tar');
  await run('git', ['-C', ROOT, 'archive', '--output', archive, commit]);
  await run('tar', ['-xf', archive, '-C', path]);
  stderr.write(`Installing and building ${commit} …\n`);
  await run('npm', INSTALL, { cwd: path });
  await run(execPath, ['scripts/build.ts'], { cwd: path });
  const all = opened.move();
  return {
    commit,
    folder: path,
    program: join(path, 'packages/server/bin/errand.cjs'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
