import { link, lstat, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkTree } from './ship-plan.ts';
import type { ShipTools } from './ship-tools.ts';

const LOOK_AGAIN_MS = 50;

const lockOf = ({ git_dir }: WorkTree): string => join(git_dir, 'index.lock');
const textOf = (job_id: string): string => `errand ${job_id}\n`;
const ownFile = ({ git_dir }: WorkTree, job_id: string, what: string): string =>
  join(git_dir, `errand-${job_id}.${what}`);

/** Takes the lock of an index, which git and editors honour. False when another program has kept it for too long. */
export async function lockIndex(tools: ShipTools, work_tree: WorkTree): Promise<boolean> {
  const { job_id, step, lock_wait_ms } = tools;
  const prepared = ownFile(work_tree, job_id, 'lock');
  await step('write of the lock', () => writeDurably(prepared, Buffer.from(textOf(job_id))));
  for (let waited = 0; !(await holdsLock(tools, work_tree)); waited += LOOK_AGAIN_MS) {
    // A link and not an exclusive open: the lock must name the job from its first moment on.
    const is_made = await step('lock', () =>
      link(prepared, lockOf(work_tree)).then(
        () => true,
        () => false,
      ),
    );
    if (is_made) break;
    if (waited >= lock_wait_ms) {
      await step('end of the lock file', () => rm(prepared, { force: true }));
      return false;
    }
    await pause(LOOK_AGAIN_MS);
  }
  await step('end of the lock file', () => rm(prepared, { force: true }));
  return true;
}

/** Whether the lock of the index is that of this job, taken by this process or by one that was killed. */
export async function holdsLock({ job_id }: ShipTools, work_tree: WorkTree): Promise<boolean> {
  return (await readFile(lockOf(work_tree), 'utf8').catch(() => null)) === textOf(job_id);
}

/** Notes under the lock that a merge is being taken back: its branch may be back before its files are. */
export async function noteWayBack(tools: ShipTools, work_tree: WorkTree): Promise<void> {
  const note = ownFile(work_tree, tools.job_id, 'back');
  await tools.step('write of the way back', () => writeDurably(note, Buffer.from(textOf(tools.job_id))));
}

/** Whether a worker was killed while it took the merge back in this work tree, whose lock the job still has. */
export async function isOnWayBack(tools: ShipTools, work_tree: WorkTree): Promise<boolean> {
  const note = await lstat(ownFile(work_tree, tools.job_id, 'back')).catch(() => null);
  return note !== null && (await holdsLock(tools, work_tree));
}

/** Waits while another program holds the lock. False when it kept it for too long. */
export async function isUnlocked({ lock_wait_ms }: ShipTools, work_tree: WorkTree): Promise<boolean> {
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    if ((await lstat(lockOf(work_tree)).catch(() => null)) === null) return true;
    if (waited >= lock_wait_ms) return false;
    await pause(LOOK_AGAIN_MS);
  }
}

export async function unlockIndex(tools: ShipTools, work_tree: WorkTree): Promise<void> {
  for (const what of ['lock', 'index', 'back']) {
    await tools.step(`end of the ${what} file`, () => rm(ownFile(work_tree, tools.job_id, what), { force: true }));
  }
  if (await holdsLock(tools, work_tree)) await tools.step('unlock', () => rm(lockOf(work_tree), { force: true }));
}

/** Replaces the index in one step, while its lock is held. The lock keeps its text: until it goes, everyone sees whose it is. */
export async function replaceIndex(tools: ShipTools, work_tree: WorkTree, content: Buffer): Promise<void> {
  const index = join(work_tree.git_dir, 'index');
  const prepared = ownFile(work_tree, tools.job_id, 'index');
  const mode = (await stat(index).catch(() => null))?.mode;
  await tools.step('write of the index', () => writeDurably(prepared, content, mode));
  await tools.step('rename of the index', () => rename(prepared, index));
}

async function writeDurably(path: string, content: Buffer, mode = 0o644): Promise<void> {
  await using file = await open(path, 'w');
  await file.writeFile(content);
  await file.chmod(mode & 0o777);
  await file.sync();
}
