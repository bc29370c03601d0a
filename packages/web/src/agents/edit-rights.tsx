import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminGrantAgent, adminUngrantAgent } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { type Agent, agentViewQuery, type Scope } from '../api/agents.ts';
import { reasonOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useToasts } from '../ui/toast.tsx';
import { isOfProject, presetOf } from './presets.ts';
import { type Rights, RightsFields, scopesOf } from './rights-fields.tsx';
import { ToolList } from './tool-list.tsx';
import './new-agent.css';

interface EditRightsProps {
  readonly agent: Agent;
  readonly onClose: () => void;
}

/** The rights of an agent as its form begins: those of its first project, which most agents have everywhere. */
export function rightsOf({ grants }: Pick<Agent, 'grants'>): Rights {
  const [first] = grants;
  const scopes: readonly Scope[] = first?.scopes ?? [];
  return {
    projects: new Set(grants.map(({ project_id }) => project_id)),
    preset: first === undefined ? 'Worker' : presetOf(scopes),
    custom: scopes,
    canComplete: first?.can_complete ?? false,
    canCancel: first?.can_cancel ?? false,
  };
}

/**
 * Changes where an agent may work, and what it may do there, never more than its token was made for. What was granted
 * before a refusal stays granted.
 */
export function EditRights({ agent, onClose }: EditRightsProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [rights, setRights] = useState(() => rightsOf(agent));
  const scopes = scopesOf(rights);
  const { data: view } = useQuery(agentViewQuery(scopes));
  const save = useMutation({
    mutationFn: async () => {
      const { agent_id, grants } = agent;
      for (const project_id of rights.projects) {
        // The scopes of the token alone, such as those of its todo list, are no grants.
        const granted = { project_id, scopes: scopes.filter(isOfProject) };
        const moves = { can_complete: rights.canComplete, can_cancel: rights.canCancel };
        await answerOf(adminGrantAgent(agent_id, { ...granted, ...moves }));
      }
      for (const { project_id } of grants) {
        if (!rights.projects.has(project_id)) await answerOf(adminUngrantAgent(agent_id, project_id));
      }
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
          <span className="hint">A token cannot do more than it was made for: rotate it to give it more.</span>
          <span className="grow" />
          <Button kind="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button
            kind="primary"
            disabled={scopes.length === 0}
            busy={save.isPending && 'Saving…'}
            onClick={() => save.mutate()}
          >
            Save the rights
          </Button>
        </>
      }
    >
      <RightsFields rights={rights} onChange={setRights} />
    </Dialog>
  );
}
