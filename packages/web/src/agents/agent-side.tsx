import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { adminRevokeToken } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { type Agent, agentSetupQuery } from '../api/agents.ts';
import { reasonOf } from '../api/client.ts';
import { day, endsIn } from '../text/time.ts';
import { plural } from '../text/words.ts';
import { Badge } from '../ui/badge.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Fact } from '../ui/fact.tsx';
import { useToasts } from '../ui/toast.tsx';
import { pageClock, useClock } from '../ui/use-clock.ts';
import { presetOf } from './presets.ts';
import '../ui/well.css';

type Token = Agent['tokens'][number];

/** A rule has many lines beside the calls: more of them would hide what is below. */
const FEW_RULES = 2;

/** A day within a sentence: today, but 3 Nov. */
const inSentence = (moment: string, now: number): string =>
  day(moment, now).replace(/^[TY]/, (letter) => letter.toLowerCase());

/** Whether an agent may do it: in all of its projects, in some, or nowhere. */
function whereOf(grants: Agent['grants'], right: 'can_complete' | 'can_cancel'): string {
  const some = grants.filter((grant) => grant[right]);
  if (some.length === 0) return 'No';
  return some.length === grants.length ? 'Yes' : `In ${some.map(({ project_name }) => project_name).join(', ')}`;
}

/** One token: what is left of it. */
function TokenItem({ token, onRevoke }: { readonly token: Token; readonly onRevoke: () => void }) {
  const { status, token_id, created_at, expires_at, revoked_at } = token;
  const ends = useClock((now) => (expires_at === null ? 'Never ends' : `Ends ${endsIn(expires_at, now)}`));
  const now = pageClock.now();
  return (
    <li>
      <p>
        <b className="mono">…{token_id.slice(-4)}</b>
        {status === 'live' ? (
          <Badge tone="done" icon="check">
            In use
          </Badge>
        ) : (
          <Badge icon="clock">{status === 'expired' ? 'Ended' : 'Revoked'}</Badge>
        )}
      </p>
      <p className="quiet">
        Made {inSentence(created_at, now)}
        {revoked_at === null ? `. ${ends}` : `. Revoked ${inSentence(revoked_at, now)}`}
      </p>
      {status === 'live' ? (
        <button className="link" type="button" onClick={onRevoke}>
          Revoke now
        </button>
      ) : null}
    </li>
  );
}

/**
 * The tokens of an agent (all that work, and the two newest of those that ended or were revoked), where it may work,
 * and what its client lists.
 */
export function AgentSide({ agent }: { readonly agent: Agent }) {
  const client = useQueryClient();
  const toasts = useToasts();
  const [revoking, setRevoking] = useState<Token | null>(null);
  const [shown, setShown] = useState<'some' | 'rules' | 'tools'>('some');
  const revoke = useMutation({
    mutationFn: (token: string) => answerOf(adminRevokeToken(token)),
    onSuccess: () => toasts.show({ text: 'The token works no longer.' }),
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['agents'] }),
  });
  const { name, tokens, grants } = agent;
  const live = tokens.filter(({ status }) => status === 'live');
  const past = tokens.filter(({ status }) => status !== 'live').slice(-2);
  const { data: view } = useQuery(agentSetupQuery(agent.agent_id));
  const lines = (view?.agents_md ?? '').split('\n').filter((line) => /^[^#<\s]/.test(line));
  const tools = view?.tools ?? [];
  const said =
    shown === 'tools'
      ? tools.map((tool) => `${tool.name}: ${tool.description}`)
      : lines.slice(0, shown === 'some' ? FEW_RULES : undefined);
  return (
    <aside className="agent-side" aria-label="Tokens and rights">
      <h2>Tokens</h2>
      <ul className="tokens">
        {[...live.toReversed(), ...past.toReversed()].map((token) => (
          <TokenItem key={token.token_id} token={token} onRevoke={() => setRevoking(token)} />
        ))}
      </ul>
      <h2>May work in</h2>
      <dl>
        {grants.map(({ project_id, project_name, scopes }) => (
          <Fact name={project_name ?? 'A project'} key={project_id}>
            {presetOf(scopes)}
          </Fact>
        ))}
        {grants.length === 0 ? null : (
          <>
            <Fact name="Finish tasks">{whereOf(grants, 'can_complete')}</Fact>
            <Fact name="Cancel tasks">{whereOf(grants, 'can_cancel')}</Fact>
          </>
        )}
        {grants.length === 0 ? <p className="hint">In no project.</p> : null}
      </dl>
      <h2>What {name} sees</h2>
      <p className="hint">{plural(tools.length, 'tool')}, and these rules for its AGENTS.md.</p>
      <div className="well">
        <ol className="out wrap">
          {said.map((line, at) => (
            <li key={line}>
              <i>{at + 1}</i>
              <code>{line}</code>
            </li>
          ))}
        </ol>
        <footer>
          {shown === 'some' && lines.length > FEW_RULES ? (
            <button className="link" type="button" onClick={() => setShown('rules')}>
              Show all rules
            </button>
          ) : null}
          <button className="link" type="button" onClick={() => setShown(shown === 'tools' ? 'some' : 'tools')}>
            {shown === 'tools' ? 'Show the rules' : `Show all ${plural(tools.length, 'tool')}`}
          </button>
        </footer>
      </div>
      <Confirm
        open={revoking !== null}
        danger
        onOpenChange={() => setRevoking(null)}
        title={`Revoke the token …${revoking?.token_id.slice(-4)} of ${name}?`}
        verb="Revoke"
        onConfirm={() => {
          if (revoking !== null) revoke.mutate(revoking.token_id);
          setRevoking(null);
        }}
      >
        It stops working at once. A program that uses it needs another one.
      </Confirm>
    </aside>
  );
}
