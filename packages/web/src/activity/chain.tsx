import { useMutation } from '@tanstack/react-query';
import { verified } from '../api/activity.ts';
import { reasonOf } from '../api/client.ts';
import { clock } from '../text/time.ts';
import { count } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

/**
 * Checks the chain of the log, and says that it is intact with how many events, or at which event somebody changed it.
 */
export function Chain() {
  const check = useMutation({ mutationFn: async () => ({ ...(await verified()), at: Date.now() }) });
  const { data, error } = check;
  if (data === undefined) {
    return (
      <>
        <Button
          kind="plain"
          size="small"
          icon="shield"
          busy={check.isPending && 'Checking…'}
          onClick={() => check.mutate()}
        >
          Check the chain
        </Button>
        {error === null ? null : <span className="chain broken">{reasonOf(error)}</span>}
      </>
    );
  }
  return (
    <span className={data.intact ? 'chain' : 'chain broken'} role="status">
      <Icon name={data.intact ? 'shield' : 'alert'} />
      {data.intact
        ? `${count(data.entries)} events, chain intact at ${clock(data.at)}`
        : `Changed at event ${data.first_bad_seq ?? 'the end'}: ${data.problem}`}
    </span>
  );
}
