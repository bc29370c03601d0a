import { useMutation, useQueryClient } from '@tanstack/react-query';
import { adminRotateAgent } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import type { Agent } from '../api/agents.ts';
import { reasonOf } from '../api/client.ts';
import { day } from '../text/time.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toast.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { TokenOnce } from './token-once.tsx';
import './new-agent.css';

const OVERLAPS = [
  { value: '0s', label: 'None' },
  { value: '15m', label: '15 min' },
  { value: '1h', label: '1 h' },
  { value: '24h', label: '24 h' },
] as const;
type Overlap = (typeof OVERLAPS)[number]['value'];

interface RotateTokenProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/**
 * Gives an agent a new token, shown once. The earlier ones still work for a while: an hour at first, or none, 15
 * minutes, 24 hours.
 */
export function RotateToken({ agent, onClose }: RotateTokenProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [overlap, setOverlap] = useState<Overlap>('1h');
  const rotate = useMutation({
    mutationFn: () => answerOf(adminRotateAgent(agent.agent_id, { overlap })),
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['agents'] }),
  });
  const made = rotate.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Rotate the token of ${agent.name}`}
      foot={
        <>
          <span className="grow" />
          {made === undefined ? (
            <Button kind="primary" busy={rotate.isPending && 'Rotating…'} onClick={() => rotate.mutate()}>
              Rotate
            </Button>
          ) : (
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          )}
        </>
      }
    >
      {made === undefined ? (
        <div className="field">
          <span>Earlier tokens still work for</span>
          <Choice<Overlap> label="Overlap" value={overlap} options={OVERLAPS} onChange={setOverlap} />
          <span className="hint">Long enough to put the new one into the client.</span>
        </div>
      ) : (
        <TokenOnce
          token={made.token}
          hint={`Shown this once.${made.expires_at === null ? '' : ` It ends on ${day(made.expires_at, pageClock.now())}.`}`}
        />
      )}
    </Dialog>
  );
}
