import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Entry } from '../api/activity.ts';
import { clockSeconds, exact } from '../text/time.ts';
import { count } from '../text/words.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { TableRow } from '../ui/table.tsx';
import { deedOf } from './deeds.ts';
import { nameOf, pageOf, shortOf, throughOf, whoOf } from './entries.ts';

interface ActivityRowProps {
  readonly entry: Entry;
  readonly open: boolean;
  readonly onToggle: (entry: Entry) => void;
}

/** The key of a task or an attempt. */
const KEY = /^[A-Z0-9]+-\d+(?:\.\d+)?$/;

/** How a call went that its row has no words for. Who looks for what is not there is not refused. */
const callOf = ({ outcome, reason }: Entry): string =>
  outcome === 'ok' ? 'called' : reason === 'not_found' ? 'found nothing by' : 'was refused';

/** What was changed, as a link where it has a page. */
function Thing({ entry }: { readonly entry: Entry }) {
  const { entity_id } = entry;
  if (entity_id === null) return null;
  const page = pageOf(entry);
  const name = nameOf(entry);
  const isKey = KEY.test(name);
  const words = isKey ? <KeyLabel value={name} /> : name;
  return (
    <>
      {page === null ? (
        words
      ) : (
        <Link className={isKey ? 'act-key' : 'link'} to={page} onClick={(event) => event.stopPropagation()}>
          {words}
        </Link>
      )}{' '}
      {entry.entity_title}
    </>
  );
}

/** What it was and became: the log keeps fingerprints, so that it holds no contents. */
function Change({ entry }: { readonly entry: Entry }) {
  const { outcome, before_digest, after_digest, reason } = entry;
  if (outcome !== 'ok') {
    return (
      <Badge tone="fail" icon="block" title={reason ?? undefined}>
        {reason ?? outcome}
      </Badge>
    );
  }
  if (before_digest === null && after_digest === null) return null;
  if (before_digest === null) return <Badge tone="done">new</Badge>;
  if (after_digest === null) return <Badge tone="fail">removed</Badge>;
  return (
    <span className="chg">
      <span className="was mono">{shortOf(before_digest)}</span>
      <Icon name="arrow-right" />
      <span className="is mono">{shortOf(after_digest)}</span>
    </span>
  );
}

function Facts({ entry }: { readonly entry: Entry }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Tool', entry.action],
    ['For', entry.user_name],
    ['Through', `${entry.actor_kind}, ${throughOf(entry)}`],
    ['Changed', entry.entity_id],
    ['Reason', entry.reason],
    ['Repeats', entry.repeats === null ? null : count(entry.repeats)],
    ['Followed', entry.instruction_ref],
    ['Event', count(entry.seq)],
  ];
  const digest = (title: string, sum: string | null) => (
    <div>
      <h2>{title}</h2>
      <p className="mono sum">{sum === null ? 'nothing' : `sha256 ${sum}`}</p>
    </div>
  );
  return (
    <div className="expbox">
      <div className="ba">
        {digest('Before', entry.before_digest)}
        {digest('After', entry.after_digest)}
      </div>
      <dl className="expfacts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mono">{value}</dd>
            </div>
          ),
        )}
        <div>
          <dt>Request</dt>
          <dd className="mono">
            {shortOf(entry.correlation_id)}
            <CopyButton text={entry.correlation_id} label="Copy the request id" />
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** One entry of the log; opened, with all that is known of it. */
export const ActivityRow = memo(function ActivityRow({ entry, open, onToggle }: ActivityRowProps) {
  const who = whoOf(entry);
  const isDone = entry.outcome === 'ok';
  const deed = deedOf(entry.action);
  return (
    <>
      <TableRow
        className={open ? 'opened on-tint' : undefined}
        data-row={String(entry.seq)}
        data-testid={`event-${entry.seq}`}
        onClick={() => onToggle(entry)}
      >
        <td className="num quiet" title={exact(entry.at)}>
          {clockSeconds(entry.at)}
        </td>
        <td>
          <span className="cell mini">
            {entry.agent_id === null ? (
              <PersonDot name={who} silent />
            ) : (
              <AgentTile id={entry.agent_id} name={who} silent />
            )}
            <span className="two">
              <b>{who}</b>
              <span>{throughOf(entry)}</span>
            </span>
          </span>
        </td>
        <td className="what">
          {isDone && deed !== null ? (
            `${deed} `
          ) : (
            <>
              {callOf(entry)} <span className="mono small">{entry.action}</span>{' '}
              {entry.entity_id === null ? null : 'on '}
            </>
          )}
          <Thing entry={entry} />
        </td>
        <td>
          <Change entry={entry} />
        </td>
        <td className="r">
          <IconButton
            icon={open ? 'up' : 'down'}
            label="Before and after"
            aria-expanded={open}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(entry);
            }}
          />
        </td>
      </TableRow>
      {open ? (
        <tr className="exp on-tint">
          <td />
          <td colSpan={4}>
            <Facts entry={entry} />
          </td>
        </tr>
      ) : null}
    </>
  );
});
