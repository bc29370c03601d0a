import { memo, useState } from 'react';
import type { RunPrompt } from '../../api/attempt-feed.ts';
import { clockSeconds, exact } from '../../text/time.ts';
import { plural } from '../../text/words.ts';
import { AgentTile } from '../../ui/agent-tile.tsx';
import { Icon } from '../../ui/icon.tsx';

/**
 * How many lines of a prompt are shown at first: what a person writes is short, what Errand makes of a task is long.
 */
const FIRST_LINES = 4;
const FIRST_CHARACTERS = 400;

/** The beginning of a prompt that is too long to be shown whole. */
function beginningOf(text: string): string {
  const start = text.split('\n', FIRST_LINES).join('\n').slice(0, FIRST_CHARACTERS);
  return start.length < text.length ? `${start.trimEnd()}…` : text;
}

/**
 * What a run was given at its start, with who asked for it: the words of a person first, long ones and what Errand made
 * of the task folded.
 */
export const PromptRow = memo(function PromptRow({ prompt }: { readonly prompt: RunPrompt }) {
  const { by, text, words, at } = prompt;
  const [isWhole, setWhole] = useState(false);
  const short = beginningOf(words ?? text);
  const lines = text.split('\n').length;
  return (
    <div className="fr steer prompt">
      {by?.kind === 'agent' ? (
        <AgentTile id={by.id} name={by.name} size={16} />
      ) : (
        <Icon name={by === null ? 'retry' : 'person'} label="prompt of the run" />
      )}
      <div className="fr-b">
        <p>
          <b>{by === null ? 'Errand' : by.name}</b> {isWhole ? text : short}
        </p>
        {short === text ? null : (
          <button className="link small" type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Fold the prompt' : `Show the whole prompt, ${plural(lines, 'line')}`}
          </button>
        )}
      </div>
      <time dateTime={at} title={exact(at)}>
        {clockSeconds(at)}
      </time>
    </div>
  );
});
