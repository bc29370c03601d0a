import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { chooseAttempt } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { reasonOf } from '../api/client.ts';
import { span } from '../text/time.ts';
import { listed, plural } from '../text/words.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Diffstat } from '../ui/diffstat.tsx';
import { Fact } from '../ui/fact.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { useToasts } from '../ui/toast.tsx';
import { ATTEMPT_LOOKS, attemptNumber, attemptPath, isActive } from './attempt-looks.ts';
import type { TaskView } from './use-task.ts';
import './compare-dialog.css';

interface CompareDialogProps {
  readonly view: TaskView;
  readonly canWrite: boolean;
  readonly onClose: () => void;
}

/**
 * The attempts of a task side by side (checks, changes, time, cost). Choosing one archives the others; one at work
 * cannot be chosen.
 */
export function CompareDialog({ view, canWrite, onClose }: CompareDialogProps) {
  const client = useQueryClient();
  const toasts = useToasts();
  const choose = useMutation({
    mutationFn: (attempt_id: string) => answerOf(chooseAttempt(attempt_id, {})),
    onSuccess: ({ key, archived }) => {
      const others = listed(archived.map((each) => each.key ?? each.attempt_id));
      toasts.show({ text: `${key ?? 'The attempt'} is chosen.${others === '' ? '' : ` Archived: ${others}.`}` });
      onClose();
    },
    onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }),
    onSettled: () =>
      client.invalidateQueries({ predicate: ({ queryKey: [noun] }) => noun === 'task' || noun === 'board' }),
  });
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} title="Compare attempts" wide>
      <div className="compare">
        {view.compared.map((attempt) => {
          const [look, word] = ATTEMPT_LOOKS[attempt.state];
          const executor = attempt.executor ?? 'agent';
          return (
            <section key={attempt.attempt_id} aria-label={`Attempt ${attemptNumber(attempt.key)}`}>
              <header>
                <StatusIcon of="run" status={look} />
                <Link to={attemptPath(attempt)}>Attempt {attemptNumber(attempt.key)}</Link>
                <span className="grow" />
                <span className="quiet">{word}</span>
              </header>
              <dl>
                <Fact name="Agent">
                  <AgentTile id={executor} name={executor} size={16} silent />
                  {executor}
                </Fact>
                <Fact name="Checks">
                  {attempt.verdict === null ? (
                    <span className="faint">none ran</span>
                  ) : (
                    <Badge tone={attempt.verdict === 'green' ? 'done' : 'fail'}>
                      {attempt.verdict === 'green' ? 'Green' : 'Red'}
                    </Badge>
                  )}
                </Fact>
                <Fact name="Changes">
                  <Diffstat added={attempt.added} removed={attempt.removed} />
                  <span className="faint">in {plural(attempt.files, 'file')}</span>
                </Fact>
                <Fact name="At work">{span(attempt.seconds * 1_000)}</Fact>
                <Fact name="Cost">
                  {attempt.cost_usd === null ? (
                    <span className="faint">not reported</span>
                  ) : (
                    `$${attempt.cost_usd.toFixed(2)}`
                  )}
                </Fact>
              </dl>
              {canWrite ? (
                <Button
                  busy={choose.isPending && choose.variables === attempt.attempt_id ? 'Choosing…' : false}
                  disabled={isActive(attempt.state)}
                  title={isActive(attempt.state) ? 'It is still at work' : 'Archives the others'}
                  onClick={() => choose.mutate(attempt.attempt_id)}
                >
                  Choose this one
                </Button>
              ) : null}
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
