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
import { sentenceOf } from './deeds.ts';
import { nameOf, pageOf, saidIn, shortOf, throughOf, whoOf } from './entries.ts';

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

/** The key or name of what was changed, as a link where it has a page. */
function Thing({ entry }: { readonly entry: Entry }) {
  const page = pageOf(entry);
  const name = nameOf(entry);
  const isKey = KEY.test(name);
  const words = isKey ? <KeyLabel value={name} /> : name;
  if (page === null) return words;
  return (
    <Link className={isKey ? 'act-key' : 'link'} to={page} onClick={(event) => event.stopPropagation()}>
      {words}
    </Link>
  );
}

/** What was done, as a sentence that goes on behind the name of who did it. */
function What({ entry }: { readonly entry: Entry }) {
  const { action, outcome, entity_id, entity_title } = entry;
  const sentence = outcome === 'ok' ? sentenceOf(entry) : null;
  const thing = entity_id === null ? null : <Thing entry={entry} />;
  if (sentence === null) {
    return (
      <>
        {callOf(entry)} <span className="mono small">{action}</span>
        {thing === null ? null : <> on {thing}</>} {entity_title}
      </>
    );
  }
  if (sentence.shows === 'nothing') return sentence.words;
  if (sentence.shows === 'step') {
    return (
      <>
        {sentence.words} {entity_title} of {thing}
      </>
    );
  }
  return (
    <>
      {sentence.words} {thing} {entity_title}
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
  const said = saidIn(entry);
  if (said !== null) {
    return (
      <span className="said" title={said}>
        “{said}”
      </span>
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
  const words: typeof facts = [
    ['Said', entry.entity_words],
    ['Answer', entry.entity_answer],
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
        {words.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="words">{value}</dd>
            </div>
          ),
        )}
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
          <What entry={entry} />
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
