import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminCreateAgent } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useRef, useState } from 'react';
import { agentViewQuery } from '../api/agents.ts';
import { reasonOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { Input } from '../ui/input.tsx';
import { useToasts } from '../ui/toast.tsx';
import { Connect, clientsOf, type Made } from './connect.tsx';
import { PRESETS } from './presets.ts';
import { type Rights, tickedIn } from './rights.ts';
import { RightsFields } from './rights-fields.tsx';
import { ToolList } from './tool-list.tsx';
import './new-agent.css';

const STEPS = ['Name and client', 'Projects and rights', 'Connect'] as const;
const DEFAULT_CLIENT = 'claude';
const FIRST_RIGHTS: Rights = {
  projects: new Set(),
  preset: 'Worker',
  ticks: new Map(PRESETS.Worker.map((scope) => [scope, true])),
  canComplete: true,
  canCancel: false,
};

function Stepper({ at }: { readonly at: number }) {
  return (
    <ol className="stepper">
      {STEPS.map((name, step) => (
        <li key={name} className={step < at ? 'past' : undefined} aria-current={step === at ? 'step' : undefined}>
          {step < at ? <Icon name="check" /> : <i>{step + 1}</i>}
          {name}
        </li>
      ))}
    </ol>
  );
}

/**
 * The dialog “New agent” in three steps: name and client, projects and rights (Worker at first), and how it is
 * connected.
 */
export function NewAgent({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const toasts = useToasts();
  const field = useRef<HTMLInputElement>(null);
  const [at, setAt] = useState(0);
  const [name, setName] = useState('');
  const [program, setProgram] = useState(DEFAULT_CLIENT);
  const [rights, setRights] = useState<Rights>(FIRST_RIGHTS);
  const [made, setMade] = useState<Made | null>(null);
  const { projects } = rights;
  const scopes = tickedIn(rights);
  const { data: view } = useQuery(agentViewQuery(scopes));
  const make = useMutation({
    mutationFn: () =>
      answerOf(
        adminCreateAgent({
          name: name.trim(),
          project_ids: [...projects],
          scopes: [...scopes],
          can_complete: rights.canComplete === true,
          can_cancel: rights.canCancel === true,
        }),
      ),
    onSuccess: (agent) => {
      setMade(agent);
      setAt(2);
      void client.invalidateQueries({ queryKey: ['agents'] });
    },
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
  });

  const clients = view === undefined ? [] : clientsOf(view);
  const isReady = at === 0 ? name.trim() !== '' : projects.size > 0 && scopes.length > 0;
  const next = () => {
    if (isReady) at === 0 ? setAt(1) : make.mutate();
  };
  return (
    <Dialog
      open
      wide
      testId="new-agent"
      initialFocus={field}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="New agent"
      head={<Stepper at={at} />}
      side={<ToolList name={name.trim() || 'it'} tools={view?.tools ?? []} scopes={scopes.length} />}
      foot={
        <>
          <span className="hint">
            {at === 2
              ? `You can close this; ${name} appears in the list.`
              : 'An agent never gets more rights than you have.'}
          </span>
          <span className="grow" />
          {at === 1 ? (
            <Button kind="plain" onClick={() => setAt(0)}>
              Back
            </Button>
          ) : null}
          {at === 2 ? (
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          ) : (
            <Button kind="primary" disabled={!isReady} busy={make.isPending && 'Making…'} onClick={next}>
              {at === 0 ? 'Next' : 'Make the agent'}
            </Button>
          )}
        </>
      }
    >
      {at === 0 ? (
        <>
          <Field label="Name" hint="The name that people see, such as atlas.">
            <Input
              ref={field}
              value={name}
              maxLength={100}
              onChange={({ target }) => setName(target.value)}
              onKeyDown={({ key }) => (key === 'Enter' ? next() : undefined)}
            />
          </Field>
          <div className="field">
            <span>Client</span>
            <Choice
              label="Client"
              className="wraps"
              value={program}
              options={clients.map((each) => ({ value: each.client, label: each.title }))}
              onChange={setProgram}
            />
          </div>
        </>
      ) : null}
      {at === 1 ? <RightsFields rights={rights} onChange={setRights} /> : null}
      {made === null ? null : <Connect name={name.trim()} program={program} made={made} clients={clients} />}
    </Dialog>
  );
}
