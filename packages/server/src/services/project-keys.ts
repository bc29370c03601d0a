import type { WorkspaceId } from '#domain/ids';
import { freeKey } from '#domain/key';
import type { Project } from '#domain/project';
import { ErrandError } from '#errors';
import type { Transaction } from '#store/store';

/** A key for a project of this name that no project of the workspace has or had. */
export async function proposeKey(
  tx: Pick<Transaction, 'projects'>,
  workspace: WorkspaceId,
  name: string,
): Promise<string> {
  const keys = freeKey(name);
  for (let step = keys.next(); ; ) {
    if (step.done) return step.value;
    const isTaken = (await tx.projects.ofKey(workspace, step.value)) !== null;
    step = keys.next(isTaken || (await tx.projects.isRetiredKey(workspace, step.value)));
  }
}

/** Refuses a key that another project has or had: old links and commit messages must keep their meaning. */
export async function mustBeFree(
  tx: Pick<Transaction, 'projects'>,
  workspace: WorkspaceId,
  { key, id }: { readonly key: string; readonly id: Project['id'] | null },
): Promise<void> {
  const taken = (whose: string): ErrandError =>
    new ErrandError('conflict', `${whose} the key ${key}.`, {
      hint: 'Give another key: keys stay with their project, so that old names of tasks keep their meaning.',
    });
  if (await tx.projects.isRetiredKey(workspace, key)) throw taken('A project that was removed had');
  const owner = await tx.projects.ofKey(workspace, key);
  if (owner === null || owner.id === id) return;
  throw taken(`The project ${owner.name} (${owner.key ?? owner.id}) ${owner.key === key ? 'has' : 'had'}`);
}
