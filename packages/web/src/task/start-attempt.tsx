import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type StartTaskAttemptBody, startTaskAttempt } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { reasonOf } from '../api/client.ts';
import { executorsQuery, reposQuery, type SeenTask } from '../api/task.ts';
import { plural } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { Dialog, DialogClose } from '../ui/dialog.tsx';
import { ErrorFrame } from '../ui/error-frame.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { useToasts } from '../ui/toast.tsx';
import './start-attempt.css';

interface StartAttemptProps {
  readonly seen: SeenTask;
  readonly onClose: () => void;
}

const toggled = (set: ReadonlySet<string>, each: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(each)) next.add(each);
  return next;
};

/**
 * The dialog “Start an attempt”: one or several agents, each on a branch of its own, the repositories and the branch to
 * begin from. An agent that is not ready says why.
 */
export function StartAttempt({ seen, onClose }: StartAttemptProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const executors = useQuery(executorsQuery);
  const repos = useQuery(reposQuery(seen.project_id));
  const [wanted, setWanted] = useState<ReadonlySet<string> | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [branches, setBranches] = useState<Readonly<Record<string, string>>>({});
  const [prompt, setPrompt] = useState('');
  const all = executors.data?.executors ?? [];
  const first = all.find(({ is_ready }) => is_ready)?.executor;
  const chosen = wanted ?? new Set(first === undefined ? [] : [first]);
  const places = (repos.data?.repos ?? []).filter(({ repo_id }) => !left.has(repo_id));

  const start = useMutation({
    mutationFn: (body: StartTaskAttemptBody) => answerOf(startTaskAttempt(seen.task_id, body)),
    onSuccess: ({ key, attempts }) => {
      const many = attempts?.length ?? 1;
      toasts.show({ text: many > 1 ? `Started ${plural(many, 'attempt')}` : `Started ${key ?? 'an attempt'}` });
      onClose();
    },
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey: [noun] }) => noun === 'task' || noun === 'board' }),
  });
  function send(): void {
    const names = [...chosen];
    const [one = ''] = names;
    start.mutate({
      ...(names.length === 1 ? { executor: one } : { executors: names }),
      ...(prompt.trim() !== '' && { prompt: prompt.trim() }),
      repos: places.map(({ repo_id, target_branch }) => ({
        repo_id,
        target_branch: branches[repo_id]?.trim() || target_branch,
      })),
    });
  }
  const isKnown = executors.data !== undefined && repos.data !== undefined;
  const failure = executors.error ?? repos.error ?? start.error;
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Start an attempt"
      testId="start-attempt"
      foot={
        <>
          <DialogClose render={<Button>Cancel</Button>} />
          <Button
            kind="primary"
            icon="play"
            disabled={!isKnown || chosen.size === 0 || places.length === 0}
            busy={start.isPending ? 'Starting…' : false}
            onClick={send}
          >
            {chosen.size > 1 ? `Start ${chosen.size} attempts` : 'Start attempt'}
          </Button>
        </>
      }
    >
      <div className="start">
        {failure === null ? null : <ErrorFrame what="The attempt was not started" why={reasonOf(failure)} />}
        <fieldset>
          <legend>Agents</legend>
          {all.map(({ executor, title, version, is_ready, problem }) => (
            <div className="start-row" key={executor}>
              <Checkbox
                checked={chosen.has(executor)}
                label={title}
                disabled={!is_ready}
                onChange={() => setWanted(toggled(chosen, executor))}
              />
              <span>
                {title}
                {version === null ? null : <span className="faint"> {version}</span>}
                {problem === null ? null : <small>{problem}</small>}
              </span>
            </div>
          ))}
          {isKnown && all.length === 0 ? (
            <p className="hint">{executors.data?.note ?? 'No agent was found on the worker.'}</p>
          ) : null}
          {chosen.size > 1 ? (
            <p className="hint">Each works on a branch of its own. Compare them when they are done.</p>
          ) : null}
        </fieldset>
        <fieldset>
          <legend>Repositories</legend>
          {(repos.data?.repos ?? []).map(({ repo_id, repo_name, target_branch }) => (
            <div className="start-row" key={repo_id}>
              <Checkbox
                checked={!left.has(repo_id)}
                label={repo_name}
                onChange={() => setLeft(toggled(left, repo_id))}
              />
              <span>{repo_name}</span>
              <Input
                aria-label={`Branch of ${repo_name} to begin from`}
                placeholder={target_branch}
                value={branches[repo_id] ?? ''}
                disabled={left.has(repo_id)}
                onChange={(event) => setBranches({ ...branches, [repo_id]: event.target.value })}
              />
            </div>
          ))}
          {isKnown && repos.data.repos.length === 0 ? (
            <p className="hint">The project has no repository. Add one in its settings, or with errand repo add.</p>
          ) : null}
        </fieldset>
        <Field label="Besides the task" hint="The agent reads the task by itself.">
          <Textarea value={prompt} rows={3} onChange={(event) => setPrompt(event.target.value)} />
        </Field>
      </div>
    </Dialog>
  );
}
