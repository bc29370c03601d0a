import { useMutation, useQueryClient } from '@tanstack/react-query';
import { adminRevokeAgent } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { Agent } from '../api/agents.ts';
import { reasonOf } from '../api/client.ts';
import { Confirm } from '../ui/confirm.tsx';
import { useToasts } from '../ui/toast.tsx';

interface RevokeAgentProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** Asks before all tokens of an agent are ended, at once. What it has done stays; Rotate gives it a new one. */
export function RevokeAgent({ agent, onClose }: RevokeAgentProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const revoke = useMutation({
    mutationFn: () => answerOf(adminRevokeAgent(agent.agent_id)),
    onSuccess: () => toasts.show({ text: `${agent.name} can do nothing any more.` }),
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['agents'] });
    },
  });
  return (
    <Confirm
      open
      danger
      onOpenChange={onClose}
      title={`Revoke all tokens of ${agent.name}?`}
      verb="Revoke"
      busy={revoke.isPending && 'Revoking…'}
      onConfirm={() => revoke.mutate()}
    >
      They stop working at once. What it has done stays. Rotate later to give it a new token.
    </Confirm>
  );
}
