import { useQuery } from '@tanstack/react-query';
import { useResolve } from '../../api/attempt-acts.ts';
import type { ReviewComment } from '../../api/attempts.ts';
import { meQuery } from '../../api/me.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { PersonDot } from '../../ui/person-dot.tsx';

const WORDS = { draft: 'Not sent yet', sent: 'Sent', resolved: 'Resolved' } as const;

interface ThreadProps {
  readonly comments: readonly ReviewComment[];
}

/**
 * The review comments on a line: deleted while they are drafts, resolved or opened again later; marked when the line
 * has changed.
 */
export function Thread({ comments }: ThreadProps) {
  const resolve = useResolve();
  const { data: me } = useQuery(meQuery);
  return (
    <div className="thread">
      {comments.map(({ comment_id, key, text, status, is_outdated, line_text, note }) => (
        <div key={comment_id} className={classes('draft', status)} data-comment={comment_id}>
          {/* A draft is shown to its author alone. */}
          {status === 'draft' && me !== undefined ? <PersonDot name={me.user.name} silent /> : null}
          <div>
            <header>
              {status === 'draft' && me !== undefined ? <b>{me.user.name}</b> : null}
              {key === null || status === 'draft' ? null : <span className="key">{key.slice(key.indexOf('#'))}</span>}
              <Badge tone={status === 'resolved' ? 'done' : undefined}>{WORDS[status]}</Badge>
              {is_outdated ? <Badge title={line_text ?? undefined}>The line has changed</Badge> : null}
              <span className="grow" />
              <Button
                size="small"
                kind="plain"
                onClick={() => resolve.mutate({ comment_id, resolved: status !== 'resolved' })}
              >
                {status === 'draft' ? 'Delete' : status === 'sent' ? 'Resolve' : 'Open again'}
              </Button>
            </header>
            <p>{text}</p>
            {note === null ? null : <p className="quiet">{note}</p>}
          </div>
        </div>
      ))}
    </div>
  );
}
