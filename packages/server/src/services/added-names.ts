import { say } from '#advice';
import { ErrandError } from '#errors';
import type { TaskerAdapter } from './tasker/adapter.ts';

/** Folds a name for comparison: names that differ only by case or width are the same to people. */
export const folded = (name: string): string => name.normalize('NFKC').toLowerCase();

interface Others {
  readonly kind: 'label' | 'state';
  readonly known: readonly { readonly name: string }[];
  readonly most: number;
}

/** Refuses a label or state whose name the project already has, and one above the limit. */
export function mustBeNew(name: string, { kind, known, most }: Others): void {
  if (known.some((other) => folded(other.name) === folded(name))) {
    throw new ErrandError('conflict', `The project has a ${kind} with this name already.`, {
      hint: say`${{ call: `admin_list_${kind}s` }} for those of the project, and use that one or another name.`,
    });
  }
  if (known.length >= most) {
    throw new ErrandError('conflict', `The project has ${most} ${kind}s, which is as many as it can have.`);
  }
}

/** The state or label of a project with this id, or this name. */
export function mustBeKnown<Part extends { readonly id: string; readonly name: string }>(
  named: string,
  { kind, known }: { readonly kind: Others['kind']; readonly known: readonly Part[] },
): Part {
  const found = known.find(({ id }) => id === named) ?? known.find(({ name }) => folded(name) === folded(named));
  if (found !== undefined) return found;
  throw new ErrandError('not_found', `The project has no such ${kind}.`, {
    hint: say`${{ call: `admin_list_${kind}s` }} for those of the project.`,
  });
}

/** Refuses to add states and labels where another tracker keeps them: no issue could use them. */
export function mustBeKeptHere({ is_local }: Pick<TaskerAdapter, 'is_local'>): void {
  if (is_local) return;
  throw new ErrandError('validation_error', 'States and labels of this workspace are kept in its tracker.', {
    hint: 'Add them there.',
  });
}
