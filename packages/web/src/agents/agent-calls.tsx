import { useQuery } from '@tanstack/react-query';
import { agentCallsQuery, refusedCallsQuery } from '../api/agents.ts';
import { clock, clockSeconds, exact } from '../text/time.ts';
import { waitsFor } from '../text/waits.ts';
import { REFUSALS } from '../text/words.ts';
import { Icon } from '../ui/icon.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { percentile } from './percentile.ts';
import '../ui/block.css';

const MAX_SHOWN = 8;
const LOOK_MS = 10_000;

interface AgentCallsProps {
  readonly id: string;
  readonly name: string;
}

/** The latest eight calls of an agent, how long each took, p50 and p99 of those that wait for nobody, and the reason of each refused call. */
export function AgentCalls({ id, name }: AgentCallsProps) {
  const { data } = useQuery(agentCallsQuery(id, LOOK_MS));
  const { data: audit } = useQuery(refusedCallsQuery(id));
  const calls = data?.calls ?? [];
  const times = calls.filter(({ tool }) => waitsFor(tool) === undefined).map(({ latency_ms }) => latency_ms);
  const refused = audit?.entries ?? [];
  // A conflict is no lack of rights: the log does not have it, but the agent was refused.
  const others = calls.filter(({ outcome }) => outcome !== 'ok').slice(0, MAX_SHOWN);
  return (
    <>
      <section className="block">
        <h2>
          Calls <span className="num">the latest {calls.length}</span>
          <span className="grow" />
          {calls.length === 0 ? null : (
            <span className="figures">
              <span>
                p50 <b>{Math.round(percentile(times, 0.5))} ms</b>
              </span>
              <span>
                p99 <b>{Math.round(percentile(times, 0.99))} ms</b>
              </span>
              <span>
                refused <b>{calls.filter(({ outcome }) => outcome !== 'ok').length}</b>
              </span>
            </span>
          )}
        </h2>
        {calls.length === 0 ? (
          <p className="hint">{name} has called nothing since the server began.</p>
        ) : (
          <Table
            label="Calls"
            className="tight calls"
            columns={[
              { id: 'tool', label: 'Tool', width: 200 },
              { id: 'outcome', label: 'Outcome' },
              { id: 'took', label: 'Took', width: 84, right: true },
              { id: 'at', label: 'At', width: 84, right: true },
            ]}
          >
            {calls.slice(0, MAX_SHOWN).map(({ tool, outcome, latency_ms, transport, at }, each) => (
              <TableRow key={`${at}-${each}`} tabIndex={undefined}>
                <td>
                  <span className="cell mini">
                    <Icon
                      name={outcome === 'ok' ? 'check' : 'block'}
                      className={outcome === 'ok' ? 'g done' : 'g fail'}
                    />
                    <span className="mono small">{tool}</span>
                  </span>
                </td>
                <td className="quiet">{outcome === 'ok' ? `done over ${transport}` : `refused: ${outcome}`}</td>
                <td className="num r">{latency_ms < 1 ? '< 1' : Math.round(latency_ms)} ms</td>
                <td className="num r faint" title={exact(at)}>
                  {clockSeconds(at)}
                </td>
              </TableRow>
            ))}
          </Table>
        )}
      </section>
      <section className="block">
        <h2>Refused</h2>
        {refused.length === 0 && others.length === 0 ? (
          <p className="hint">Nothing was refused.</p>
        ) : refused.length === 0 ? (
          <ul className="refusals">
            {others.map(({ tool, outcome, at }, each) => (
              <li key={`${at}-${each}`}>
                <Icon name="block" />
                <div>
                  <p>
                    <b className="mono">{tool}</b>
                  </p>
                  <p className="quiet">{REFUSALS[outcome] ?? outcome}</p>
                </div>
                <time title={exact(at)}>{clock(at)}</time>
              </li>
            ))}
          </ul>
        ) : (
          <ul className="refusals">
            {refused.map(({ seq, action, entity_id, entity, reason, repeats, at }) => (
              <li key={seq}>
                <Icon name="block" />
                <div>
                  <p>
                    <b className="mono">{action}</b>
                    {entity_id === null ? '' : ` on ${entity ?? 'something'} ${entity_id.slice(0, 8)}`}
                  </p>
                  <p className="quiet">
                    {reason ?? 'Without a reason'}
                    {repeats ? `, and ${repeats} more` : ''}
                  </p>
                </div>
                <time title={exact(at)}>{clock(at)}</time>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
