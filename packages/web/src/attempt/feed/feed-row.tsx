import type { FeedEntry } from 'errand/client';
import { memo, Suspense, useState } from 'react';
import type { RunPrompt } from '../../api/attempt-feed.ts';
import { clockSeconds, duration, exact, took } from '../../text/time.ts';
import { plural } from '../../text/words.ts';
import { AgentTile } from '../../ui/agent-tile.tsx';
import { classes } from '../../ui/classes.ts';
import { Diffstat } from '../../ui/diffstat.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { lazily } from '../../ui/lazily.ts';
import { PersonDot } from '../../ui/person-dot.tsx';
import { useClock } from '../../ui/use-clock.ts';
import { isBad, linesOf } from '../timeline/output.ts';
import type { Answered } from './answers.ts';
import { editIn, messageIn } from './entry-text.ts';
import type { Result } from './results.ts';

const Markdown = lazily(() => import('../../text/markdown.tsx').then(({ Markdown }) => Markdown));

const ICONS: Readonly<Record<FeedEntry['kind'], IconName>> = {
  message: 'message',
  thought: 'thought',
  tool_call: 'tool',
  command: 'command',
  output: 'follow',
  edit: 'edit',
  question: 'hand',
  status: 'info',
};

const SECOND = 1_000;
/** Lines of long texts that are shown at first. */
const FIRST_LINES = 3;

/** Output and long calls: the beginning, and the rest on demand. */
function Folded({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = linesOf(text);
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES);
  return (
    <>
      <pre className="said-out">
        {shown.map((line, at) => (
          <code key={at} className={isBad(line) ? 'bad' : undefined}>
            {line}
            {'\n'}
          </code>
        ))}
      </pre>
      {lines.length === shown.length ? null : (
        <button className="link small" type="button" onClick={() => setWhole(true)}>
          Show all {plural(lines.length, 'line')}
        </button>
      )}
    </>
  );
}

/** What a command printed, on demand. */
function Printed({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className="link small" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide the output' : `Output, ${plural(linesOf(text).length, 'line')}`}
      </button>
      {isOpen ? <Folded text={text} /> : null}
    </>
  );
}

/** The answer to a question, below it. */
function Answer({ answer: { by, text, waitedMs } }: { readonly answer: Answered }) {
  return (
    <p className="answer">
      <Icon name="reply" />
      {by === null ? null : by.kind === 'agent' ? (
        <AgentTile id={by.id} name={by.name} size={16} />
      ) : (
        <PersonDot name={by.name} size={16} silent />
      )}
      <span>
        <b>{by?.name ?? 'Somebody'}</b> {text}
      </span>
      <span className="faint">after {duration(waitedMs)}</span>
    </p>
  );
}

/** How a call went: in words, and its output on demand. */
function Went({ result: { status, text, output } }: { readonly result: Result }) {
  return (
    <>
      {status === 'running' ? <span className="running">running</span> : null}
      {status !== 'running' && text !== null ? <span className="quiet went">{text}</span> : null}
      {output === null || output.text.trim() === text ? null : <Printed text={output.text} />}
    </>
  );
}

/** How long a call has been going on. */
function GoesOn({ from }: { readonly from: string }) {
  const text = useClock((now) => took(Math.floor((now - Date.parse(from)) / SECOND) * SECOND), 'second');
  return <span className="took">{text}</span>;
}

/** How long a call took, or has been going on. */
function Took({ result: { status, tookMs }, at }: { readonly result: Result; readonly at: string }) {
  if (status === 'running') return <GoesOn from={at} />;
  return tookMs === null ? null : <span className={classes('took', status === 'failed' && 'bad')}>{took(tookMs)}</span>;
}

/** The first word of a tool call is its name. */
const CALL = /^(?<name>[\w.:/-]+)[ :(]*(?<rest>[\s\S]*)$/;

function Words({ entry: { kind, text } }: { readonly entry: FeedEntry }) {
  switch (kind) {
    case 'message':
      return (
        <Suspense fallback={<p>{text}</p>}>
          <Markdown source={text} />
        </Suspense>
      );
    case 'question':
      return (
        <p>
          <b>{text}</b>
        </p>
      );
    case 'command':
      return <code>{text}</code>;
    case 'output':
      return <Folded text={text} />;
    case 'edit': {
      const edited = editIn(text);
      if (edited !== null) {
        return (
          <>
            <span className="mono">{edited.path}</span>
            <Diffstat added={edited.added} removed={edited.removed} />
          </>
        );
      }
      return text.includes('\n') ? <Folded text={text} /> : <span className="mono">{text}</span>;
    }
    case 'tool_call': {
      const parts = CALL.exec(text)?.groups;
      if (text.includes('\n')) return <Folded text={text} />;
      return (
        <>
          <span className="mono">{parts?.name ?? text}</span>
          {parts?.rest ? <span className="quiet">{parts.rest}</span> : null}
        </>
      );
    }
    default:
      return <p className="quiet">{text}</p>;
  }
}

interface FeedRowProps {
  readonly entry: FeedEntry;
  readonly isLast: boolean;
  /** What became of it; only of calls, commands and edits. */
  readonly result?: Result | undefined;
  /** The answer to it; only of a question that has one. */
  readonly answer?: Answered | undefined;
  /** Who sent it; only of a message to the agent, once that is read. */
  readonly by?: RunPrompt['by'] | undefined;
  /** Whether the agent has not read it yet; only of a message to it. */
  readonly isUnread?: boolean | undefined;
}

/** One thing that an agent said or did: how each kind looks, and how long texts are folded. */
export const FeedRow = memo(function FeedRow({ entry, isLast, result, answer, by, isUnread = false }: FeedRowProps) {
  const message = messageIn(entry);
  return (
    <div
      className={classes(
        'fr',
        entry.kind,
        message !== null && 'steer',
        result?.status === 'failed' && 'bad',
        result?.status === 'running' && 'going',
        isLast && 'last',
      )}
    >
      {message !== null && by?.kind === 'agent' ? (
        <AgentTile id={by.id} name={by.name} size={16} silent />
      ) : message !== null && by ? (
        <PersonDot name={by.name} size={16} silent />
      ) : (
        <Icon
          name={message === null ? ICONS[entry.kind] : 'person'}
          label={message === null ? entry.kind.replace('_', ' ') : 'message to the agent'}
        />
      )}
      <div className="fr-b">
        {message === null ? (
          <Words entry={entry} />
        ) : (
          <p>
            <b>{by?.name ?? message.who}</b> {message.text}
          </p>
        )}
        {result === undefined ? null : <Went result={result} />}
        {answer === undefined ? null : <Answer answer={answer} />}
      </div>
      {result === undefined ? null : <Took result={result} at={entry.at} />}
      {message === null || isUnread ? null : (
        <span className="read">
          <Icon name="check" />
          read
        </span>
      )}
      <time dateTime={entry.at} title={exact(entry.at)}>
        {clockSeconds(entry.at)}
      </time>
    </div>
  );
});
