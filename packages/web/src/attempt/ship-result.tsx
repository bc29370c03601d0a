import type { MergeAttemptAnswer, RebaseAttemptAnswer } from 'errand/client';
import { reasonOf } from '../api/client.ts';
import { plural } from '../text/words.ts';
import { Icon } from '../ui/icon.tsx';

interface ShipResultProps {
  readonly answer: MergeAttemptAnswer | RebaseAttemptAnswer | undefined;
  readonly error: Error | null;
}

/**
 * Why a merge or rebase did not happen: the files in conflict (nothing was changed then), or the reason and what to do.
 */
export function ShipResult({ answer, error }: ShipResultProps) {
  if (error !== null) return <Refused why={reasonOf(error)} />;
  if (answer?.status === 'refused') return <Refused why={answer.reason ?? 'The server refused.'} />;
  if (answer?.status !== 'conflicts') return null;
  const conflicts = answer.conflicts ?? [];
  return (
    <div className="ship-no" role="alert">
      <p>
        <Icon name="alert" />
        <b>{plural(conflicts.length, 'file')} conflict with the target branch.</b> Nothing was changed.
      </p>
      <ul>
        {conflicts.map(({ repo_id, path }) => (
          <li key={`${repo_id} ${path}`} className="mono">
            {path}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Refused({ why }: { readonly why: string }) {
  return (
    <div className="ship-no" role="alert">
      <p>
        <Icon name="alert" />
        <span>{why}</span>
      </p>
    </div>
  );
}
