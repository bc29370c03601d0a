import { useMutation, useQueryClient } from '@tanstack/react-query';
import { followUp, sendMessage } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { reasonOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { useToasts } from '../ui/toast.tsx';
import { useFoot } from '../ui/use-foot.ts';
import { isActive } from './attempt-looks.ts';
import { draftOf, keepDraft, restAfter } from './drafts.ts';
import type { Edits } from './edits.ts';
import { QueuedRows } from './queued-rows.tsx';
import type { TaskView } from './use-task.ts';
import './composer.css';

export type Way = 'comment' | 'send' | 'queue';

const MAX_WORDS = 10_000;

interface ComposerProps {
  readonly view: TaskView;
  readonly edits: Edits;
  readonly way: Way;
  readonly onWay: (way: Way) => void;
  /** Undefined for those who may not start agents. */
  readonly onStart?: (() => void) | undefined;
  readonly inputRef: Ref<HTMLTextAreaElement>;
}

function hintOf(way: Way, runs: boolean): string {
  if (way === 'comment') return 'For everyone who reads the task';
  if (way === 'queue') return runs ? 'Sent when this run has ended' : 'Starts a run when a worker is free';
  return runs ? 'Arrives with its next call' : 'Starts a run';
}

/**
 * The box that sends words: as a comment, to the agent at work, or queued for its next run. What was typed stays until
 * it is taken. Which of these it begins with: `task/use-open-task.ts`.
 */
export function Composer({ view, edits, way, onWay, onStart, inputRef }: ComposerProps) {
  const { seen, talk } = view;
  const client = useQueryClient();
  const toasts = useToasts();
  const foot = useFoot();
  const [draft, setDraft] = useState(() => draftOf(seen.task_id));
  const attempt_id = seen.task.latest_attempt_id;
  const isEnded = talk?.state === 'merged' || talk?.state === 'archived';
  const canTell = attempt_id !== null && !isEnded;
  const chosen = canTell ? way : 'comment';
  const type = (text: string) => {
    setDraft(text);
    keepDraft(seen.task_id, text);
  };

  const send = useMutation({
    mutationFn: async ({ typed, to }: { readonly typed: string; readonly to: Way }): Promise<string | undefined> => {
      const text = typed.trim();
      if (to === 'comment' || attempt_id === null) {
        await edits.comment(text);
        return undefined;
      }
      if (to === 'queue') {
        await answerOf(followUp({ attempt_id, action: 'queue', prompt: text }));
        return undefined;
      }
      const { note } = await answerOf(sendMessage(attempt_id, { text }));
      return note;
    },
    // The words stay in the box until they are taken; what was typed meanwhile stays after that.
    onSuccess: (note, { typed }) => {
      type(restAfter(draftOf(seen.task_id), typed));
      if (note !== undefined) toasts.show({ text: note });
    },
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [noun] }) => noun === 'task' || noun === 'attempt' || noun === 'board',
      }),
  });
  const submit = () => {
    if (draft.trim() !== '' && !send.isPending) send.mutate({ typed: draft, to: chosen });
  };
  function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape') {
      // The first Escape leaves the box, the next one closes the panel.
      event.preventDefault();
      event.currentTarget.blur();
    }
  }
  return (
    <div className="composer" ref={foot}>
      {talk === undefined ? null : <QueuedRows talk={talk} onEdit={type} />}
      <div className="compose">
        <textarea
          className="compose-in"
          aria-label="Message"
          data-testid="composer"
          placeholder={chosen === 'comment' ? 'Comment…' : 'Tell the agent…'}
          value={draft}
          maxLength={MAX_WORDS}
          rows={2}
          ref={inputRef}
          onChange={(event) => type(event.target.value)}
          onKeyDown={press}
        />
        <footer>
          <Choice
            label="Where it goes"
            value={chosen}
            onChange={onWay}
            options={[
              { value: 'comment', label: 'Comment', icon: 'message' },
              { value: 'send', label: 'Send to agent', icon: 'send', disabled: !canTell },
              { value: 'queue', label: 'Queue', icon: 'queue', disabled: !canTell },
            ]}
          />
          {canTell || chosen !== 'comment' ? (
            <span className="hint">{hintOf(chosen, talk !== undefined && isActive(talk.state))}</span>
          ) : onStart === undefined ? null : (
            <button className="link hint" type="button" onClick={onStart}>
              Start an agent
            </button>
          )}
          <span className="grow" />
          <Button
            kind="primary"
            keys="mod+enter"
            data-testid="send"
            busy={send.isPending ? 'Sending…' : false}
            disabled={draft.trim() === ''}
            onClick={submit}
          >
            Send
          </Button>
        </footer>
      </div>
    </div>
  );
}
