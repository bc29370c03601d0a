import { Link } from '@tanstack/react-router';
import { barOf } from '../board/card-looks.ts';
import { markdownOf } from '../text/html-markdown.ts';
import { LazyMarkdown } from '../text/lazy-markdown.tsx';
import { AgentTile } from '../ui/agent-tile.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { StepBar } from '../ui/step-bar.tsx';
import { ATTEMPT_LOOKS, attemptNumber, attemptPath } from './attempt-looks.ts';
import { type StoryEntry, storyOf } from './story-model.ts';
import type { TaskView } from './use-task.ts';
import './story.css';

interface StoryProps {
  readonly view: TaskView;
}

/** What happened to the task, and what was said, in one stream. */
export function Story({ view }: StoryProps) {
  const { comments } = view.seen.issue;
  const entries = storyOf(comments.latest, view.attempts);
  const older = comments.count - comments.latest.length;
  if (entries.length === 0) return null;
  return (
    <section className="block" aria-label="Activity">
      <h2>Activity</h2>
      <ol className="stream">
        {older > 0 ? <li className="ev faint">{older} older comments</li> : null}
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} view={view} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ entry, view }: StoryProps & { readonly entry: StoryEntry }) {
  if (entry.kind === 'comment') {
    const { author, comment_html, created_at } = entry.comment;
    const name = author?.name ?? 'Someone';
    return (
      <li className="said">
        {author?.kind === 'agent' ? (
          <AgentTile id={author.id} name={name} size={24} silent />
        ) : (
          <PersonDot name={name} size={24} silent />
        )}
        <div>
          <header>
            <b>{name}</b>
            <RelativeTime at={created_at} as="sentence" />
          </header>
          <LazyMarkdown source={markdownOf(comment_html)} />
        </div>
      </li>
    );
  }
  const { attempt } = entry;
  const [look, word] = ATTEMPT_LOOKS[attempt.state];
  const isNewest = attempt.attempt_id === view.seen.task.latest_attempt_id;
  const bar = isNewest && view.card !== null ? barOf(view.card) : null;
  return (
    <li className="ev run">
      <StatusIcon of="run" status={look} large />
      <p>
        <Link to={attemptPath(attempt)}>
          <b>Attempt {attemptNumber(attempt.key)}</b>
        </Link>{' '}
        by {attempt.latest_session_executor ?? 'an agent'}: {word.toLowerCase()}
        {attempt.reason === null ? '' : ` · ${attempt.reason}`}
      </p>
      {bar === null ? null : <StepBar steps={bar} />}
      <RelativeTime at={entry.at} as="sentence" />
    </li>
  );
}
