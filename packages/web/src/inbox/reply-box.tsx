import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answersTo } from '../api/answers.ts';
import type { InboxRow } from '../api/inbox.ts';
import { Button } from '../ui/button.tsx';
import type { Act } from './acts.ts';
import '../task/composer.css';

interface ReplyBoxProps {
  readonly row: InboxRow;
  readonly busy: boolean;
  /** Why the attempt cannot be merged; null when it can. */
  readonly noMerge: string | null;
  /** Whether the task can be completed as it is, because there is nothing to merge. */
  readonly canFinish: boolean;
  readonly onAct: (act: Act) => void;
  readonly onMerge: () => void;
}

/** What the field for words is for, by kind; null where nobody could read them. */
function hintOf({ kind, by, attempt_id }: InboxRow): string | null {
  const name = by?.name ?? 'The agent';
  if (kind === 'question') return `Answer in your own words. ${name} goes on as soon as you answer.`;
  if (attempt_id === null) return null;
  if (kind === 'permission') return 'Deny, and say what to do instead.';
  if (kind === 'stalled') return `${name} reads this with its next call.`;
  return `Say what to do now. ${name} starts a new run with it.`;
}

/**
 * The answers to an entry: its options as buttons, Retry of a failed run, Merge or why not, Done when nothing changed, Stop of a stalled one, and
 * words (10,000 characters).
 */
export function ReplyBox({ row, busy, noMerge, canFinish, onAct, onMerge }: ReplyBoxProps) {
  const [text, setText] = useState('');
  const { kind, attempt_id, attempt_key } = row;
  const hint = hintOf(row);
  const words = text.trim();
  const send = () => {
    if (words !== '' && !busy) onAct({ does: 'reply', row, text: words });
  };
  const wait = busy ? 'Sending…' : false;
  const attempt = attempt_key ?? attempt_id;
  const page: string = `/a/${attempt}`;
  return (
    <div className="reply">
      <div className="compose">
        {hint === null ? null : (
          <textarea
            className="compose-in"
            aria-label="Reply"
            data-testid="composer"
            placeholder={hint}
            value={text}
            maxLength={10_000}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
                event.preventDefault();
                send();
              } else if (event.key === 'Escape') event.currentTarget.blur();
            }}
          />
        )}
        <footer>
          {answersTo(row).map((answer) => (
            <Button
              key={answer.key}
              kind={answer.key === 'a' ? 'primary' : 'normal'}
              icon={answer.key === 'a' ? 'check' : answer.key === 'd' ? 'x' : undefined}
              keys={answer.key}
              busy={answer.key === 'a' && wait}
              onClick={() => onAct({ does: 'answer', row, answer })}
            >
              {answer.name}
            </Button>
          ))}
          {kind === 'failed' ? (
            <Button kind="primary" icon="retry" keys="a" onClick={() => onAct({ does: 'retry', row })}>
              Retry
            </Button>
          ) : null}
          {canFinish ? (
            <Button
              kind="primary"
              icon="check"
              keys="a"
              data-testid="finish"
              onClick={() => onAct({ does: 'finish', row })}
            >
              Done
            </Button>
          ) : kind === 'review' ? (
            <Button
              kind={noMerge === null ? 'primary' : 'normal'}
              icon="check"
              keys="a"
              data-testid="merge"
              aria-disabled={noMerge !== null}
              title={noMerge ?? undefined}
              onClick={noMerge === null ? onMerge : undefined}
            >
              Merge
            </Button>
          ) : null}
          {kind === 'review' && noMerge !== null ? <span className="quiet">{noMerge}.</span> : null}
          {kind === 'stalled' && attempt_id !== null ? (
            <Button icon="stop" keys="d" onClick={() => onAct({ does: 'stop', row })}>
              Stop
            </Button>
          ) : null}
          {kind !== 'question' && kind !== 'permission' && attempt !== null ? (
            <Link className="btn" to={page}>
              {kind === 'review' ? 'Read the changes' : 'Open the attempt'}
            </Link>
          ) : null}
          <span className="grow" />
          {hint === null ? null : (
            <Button keys="r" data-testid="send" aria-disabled={words === ''} onClick={send}>
              {kind === 'permission' ? 'Deny and reply' : 'Reply'}
            </Button>
          )}
        </footer>
      </div>
    </div>
  );
}
