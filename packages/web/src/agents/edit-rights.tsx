import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminGrantAgent, adminUngrantAgent } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { type Agent, agentViewQuery } from '../api/agents.ts';
import { reasonOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toast.tsx';
import { isOfProject } from './presets.ts';
import { changeOf, rightsOf, scopesSeenBy } from './rights.ts';
import { RightsFields } from './rights-fields.tsx';
import { ToolList } from './tool-list.tsx';
import './new-agent.css';

interface EditRightsProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/**
 * Changes where an agent may work, and what it may do there, never more than its token was made for. Only what the
 * person changed is sent, project by project; what was granted before a refusal stays granted.
 */
export function EditRights({ agent, onClose }: EditRightsProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  // The agent as the form shows it: what another person changes meanwhile is no change of this form.
  const [before] = useState(agent);
  const [rights, setRights] = useState(() => rightsOf(before));
  const change = changeOf(before, rights);
  const isChanged = change.grants.length + change.ungrants.length > 0;
  const isLacking = change.grants.some(({ scopes: given }) => !given.some(isOfProject));
  const scopes = scopesSeenBy(before, rights);
  const { data: view } = useQuery(agentViewQuery(scopes));
  const save = useMutation({
    mutationFn: async () => {
      for (const grant of change.grants) await answerOf(adminGrantAgent(agent.agent_id, grant));
      for (const project_id of change.ungrants) await answerOf(adminUngrantAgent(agent.agent_id, project_id));
    },
    onSuccess: () => {
      toasts.show({ text: `Changed the rights of ${agent.name}` });
      onClose();
    },
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    // What was granted before a refusal stays granted.
    onSettled: () => client.invalidateQueries({ queryKey: ['agents'] }),
  });
  return (
    <Dialog
      open
      wide
      testId="edit-rights"
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Rights of ${agent.name}`}
      side={<ToolList name={agent.name} tools={view?.tools ?? []} scopes={scopes.length} />}
      foot={
        <>
          <span className="hint">
            {isLacking
              ? 'Choose at least one right for every project.'
              : 'A token cannot do more than it was made for: rotate it to give it more.'}
          </span>
          <span className="grow" />
          <Button kind="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind="primary"
            disabled={isLacking}
            busy={save.isPending && 'Saving…'}
            onClick={() => (isChanged ? save.mutate() : onClose())}
          >
            Save the rights
          </Button>
        </>
      }
    >
      <RightsFields rights={rights} onChange={setRights} grants={before.grants} />
    </Dialog>
  );
}
