import { Link } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { waitsFor } from '../text/waits.ts';
import { count, plural, REFUSALS } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Icon } from '../ui/icon.tsx';
import { Table, TableRow } from '../ui/table.tsx';
import { logPercent, tookOf } from './figures.ts';
import type { Vital } from './vitals.ts';
import '../ui/field.css';

interface VitalsProps {
  readonly vitals: readonly Vital[];
}

/** Settings and commands in what to do. */
const TYPED = /(runner\.max_runs|errand (?:worker|serve))/;

const Todo = ({ text }: { readonly text: string }) => (
  <span className="todo">
    {text.split(TYPED).map((part, at) => (TYPED.test(part) ? <code key={at}>{part}</code> : part))}
  </span>
);

/** The vital signs. One that is red says what to do. */
export function Vitals({ vitals }: VitalsProps) {
  return (
    <section className="vitals" aria-label="Vital signs">
      {vitals.map(({ name, value, about, todo }) => (
        <div key={name} className={classes('vital', todo !== null && 'red')}>
          <p>
            {todo === null ? <Icon name="check" className="g done" /> : <Icon name="alert" />}
            {name}
          </p>
          <b>{value}</b>
          <span>{about}</span>
          {todo === null ? null : <Todo text={todo} />}
        </div>
      ))}
    </section>
  );
}

interface FiguresProps {
  readonly operations: Operations;
}

/** As many as fit on a screen. */
const FEW_TOOLS = 10;

/** A name that may break into two lines where its words do. */
const Breaking = ({ name }: { readonly name: string }) =>
  name.split('_').map((word, at) => (
    <Fragment key={at}>
      {at === 0 ? null : (
        <>
          _<wbr />
        </>
      )}
      {word}
    </Fragment>
  ));

/** The calls of each tool, the most called first. */
export function ToolTable({ operations: { tools, tool_count } }: FiguresProps) {
  const [isLong, setIsLong] = useState(false);
  const sorted = tools.toSorted((a, b) => b.calls - a.calls);
  return (
    <div>
      <h2>
        Tools{' '}
        <span className="num">
          {count(tools.length)} of {count(tool_count)} called
        </span>
      </h2>
      <Table
        label="Tools"
        className="tight toolt"
        columns={[
          { id: 'tool', label: 'Tool' },
          { id: 'calls', label: 'Calls', width: 64, right: true },
          {
            id: 'range',
            label: (
              <span className="scale" aria-hidden="true">
                <i>1 ms</i>
                <i>10</i>
                <i>100</i>
                <i>1 s</i>
              </span>
            ),
            name: 'From p50 to p99',
            width: 116,
          },
          { id: 'p50', label: 'p50', width: 74, right: true },
          { id: 'p99', label: 'p99', width: 74, right: true },
          { id: 'errors', label: 'Errors', width: 58, right: true },
        ]}
      >
        {sorted.slice(0, isLong ? undefined : FEW_TOOLS).map(({ tool, calls, failed, p50_ms, p99_ms }) => {
          const [from, to] = [logPercent(p50_ms), logPercent(p99_ms)];
          return (
            <TableRow key={tool} data-testid={`tool-${tool}`}>
              <td className="mono small">
                <Breaking name={tool} />
              </td>
              <td className="num r quiet">{count(calls)}</td>
              {waitsFor(tool) === undefined ? (
                <>
                  <td>
                    <span className="range" aria-hidden="true">
                      <i style={{ left: `${from}%`, width: `${to - from}%` }} />
                      <u style={{ left: `${from}%` }} />
                    </span>
                  </td>
                  <td className="num r">{tookOf(p50_ms)}</td>
                  <td className="num r">{tookOf(p99_ms)}</td>
                </>
              ) : (
                <td className="quiet" colSpan={3}>
                  {waitsFor(tool)}
                </td>
              )}
              <td className={classes('num r', failed === 0 ? 'faint' : 'bad-n')}>{count(failed)}</td>
            </TableRow>
          );
        })}
      </Table>
      {tools.length > FEW_TOOLS ? (
        <p className="more">
          <Button kind="plain" size="small" onClick={() => setIsLong(!isLong)}>
            {isLong ? 'Show the most called' : `Show all ${count(tools.length)}`}
          </Button>
        </p>
      ) : null}
    </div>
  );
}

/** Refusals that somebody can mend by giving a right. */
const RIGHTS = new Set(['insufficient_scope', 'project_not_granted', 'move_not_granted', 'unauthorized']);

/** How loud the bar of a code is: amber for what an admin can grant, red for what is broken. */
const toneOf = ({ code, is_fault }: Operations['errors'][number]): string | undefined =>
  is_fault || code === 'unauthenticated' ? 'fail' : RIGHTS.has(code) ? 'you' : undefined;

/** The failures and refusals by their codes, the most first. */
export function Refused({ operations: { errors } }: FiguresProps) {
  const sorted = errors.toSorted((a, b) => b.count - a.count);
  const most = sorted[0]?.count ?? 1;
  return (
    <div>
      <h2>
        Refused <span className="num">{count(errors.reduce((sum, error) => sum + error.count, 0))}</span>
      </h2>
      {sorted.length === 0 ? <p className="quiet">No call was refused since the server began.</p> : null}
      <ul className="hbars">
        {sorted.map(({ code, count: times, is_fault }) => (
          <li key={code}>
            <p>
              <span className="mono small">{code}</span>
              <b className="num">{count(times)}</b>
            </p>
            <span className="hb">
              <i className={toneOf({ code, count: times, is_fault })} style={{ width: `${(100 * times) / most}%` }} />
            </span>
            {REFUSALS[code] === undefined ? null : (
              <p className="hint">
                {REFUSALS[code]}{' '}
                {RIGHTS.has(code) ? (
                  <Link className="link" to="/activity" search={{ refused: true }}>
                    Who
                  </Link>
                ) : null}
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The MCP clients that have called, or have a session. */
export function Clients({ operations: { clients } }: FiguresProps) {
  return (
    <div>
      <h2>
        Clients <span className="num">{count(clients.length)}</span>
      </h2>
      {clients.length === 0 ? (
        <p className="quiet">No MCP client has called since the server began.</p>
      ) : (
        <Table
          label="Clients"
          className="tight clientt"
          columns={[
            { id: 'client', label: 'Client' },
            { id: 'version', label: 'Version', width: 68 },
            { id: 'protocol', label: 'Protocol', width: 97 },
            { id: 'calls', label: 'Calls', width: 66, right: true },
          ]}
        >
          {clients.map(({ name, version, protocol, calls, count: sessions }) => (
            <TableRow key={`${name}/${version}/${protocol}`}>
              <td>{name ?? 'without a name'}</td>
              <td className="num quiet">{version}</td>
              <td className="num mono small">{protocol}</td>
              <td className="num r" title={plural(sessions, 'session')}>
                {count(calls)}
              </td>
            </TableRow>
          ))}
        </Table>
      )}
    </div>
  );
}
