import { Suspense, useState } from 'react';
import { useStop, useTell, useVerify } from '../api/attempt-acts.ts';
import type { Attempt } from '../api/attempts.ts';
import { reasonOf } from '../api/client.ts';
import { useKeys } from '../keys/bindings.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { lazily } from '../ui/lazily.ts';
import { Menu } from '../ui/menu.tsx';
import { useToasts } from '../ui/toast.tsx';
import { isGoing, refusalsOf } from './can.ts';

const FollowUpDialog = lazily(() => import('./follow-up-dialog.tsx').then(({ FollowUpDialog }) => FollowUpDialog));
const MergeDialog = lazily(() => import('./merge-dialog.tsx').then(({ MergeDialog }) => MergeDialog));
const RebaseDialog = lazily(() => import('./rebase-dialog.tsx').then(({ RebaseDialog }) => RebaseDialog));
const PullRequestDialog = lazily(() =>
  import('./pull-request-dialog.tsx').then(({ PullRequestDialog }) => PullRequestDialog),
);

/** What a retry tells the agent: it has the task and its folder as the last run left them. */
const AGAIN = 'The last run ended before the task was done. Look at what is there, and finish the task.';

export type Opened = 'follow-up' | 'merge' | 'rebase' | 'pull-request' | 'stop' | null;

interface AttemptActionsProps {
  readonly attempt: Attempt;
  readonly agent: string;
  /** What the reader may do in the project. */
  readonly scopes: readonly string[];
  readonly opened: Opened;
  readonly onOpen: (opened: Opened) => void;
}

/**
 * The buttons of an attempt: follow up, retry, stop, merge, verify, rebase, pull request. What is refused stays, with
 * its reason (decided in `attempt/can.ts`).
 */
export function AttemptActions({ attempt, agent, scopes, opened, onOpen }: AttemptActionsProps) {
  const { attempt_id } = attempt;
  const toasts = useToasts();
  const stop = useStop(attempt_id);
  const verify = useVerify(attempt_id);
  const tell = useTell(attempt_id);
  const [menu, setMenu] = useState(false);
  const no = refusalsOf(attempt, scopes);
  const isRunning = isGoing(attempt);
  const close = () => onOpen(null);

  const retry = () =>
    tell.mutate(
      { text: AGAIN, when: 'now', isRunning: false },
      { onError: (error) => toasts.show({ kind: 'refused', text: reasonOf(error) }) },
    );
  const follow = no.followUp === null ? () => onOpen('follow-up') : undefined;
  useKeys(follow === undefined ? {} : { r: { does: 'Follow up', run: follow } });

  const refused = (why: string | null) => (why === null ? {} : { 'aria-disabled': true, title: why });
  const items = [
    {
      id: 'verify',
      label: 'Verify',
      icon: <Icon name="shield" />,
      note: 'Run the checks of the project',
      refused: no.verify ?? undefined,
      onSelect: () => verify.mutate(undefined, { onSuccess: () => toasts.show({ text: 'The checks run' }) }),
    },
    {
      id: 'rebase',
      label: 'Rebase',
      icon: <Icon name="branch" />,
      refused: no.ship ?? undefined,
      onSelect: () => onOpen('rebase'),
    },
    {
      id: 'pull-request',
      label: 'Open pull request',
      icon: <Icon name="open" />,
      refused: no.ship ?? undefined,
      onSelect: () => onOpen('pull-request'),
    },
    ...(isRunning
      ? [{ id: 'merge', label: 'Merge', icon: <Icon name="commit" />, refused: no.ship ?? undefined, onSelect: close }]
      : [{ id: 'stop', label: 'Stop', icon: <Icon name="stop" />, refused: no.stop ?? undefined, onSelect: close }]),
  ];

  return (
    <>
      <Button icon="follow" keys="r" {...refused(no.followUp)} onClick={follow}>
        Follow up
      </Button>
      <Button
        icon="retry"
        {...refused(no.retry)}
        busy={tell.isPending ? 'Starting…' : false}
        onClick={no.retry === null ? retry : undefined}
      >
        Retry
      </Button>
      {isRunning ? (
        <Button
          kind="danger"
          icon="stop"
          {...refused(no.stop)}
          busy={stop.isPending ? 'Stopping…' : false}
          onClick={no.stop === null ? () => onOpen('stop') : undefined}
        >
          Stop
        </Button>
      ) : (
        <Button
          kind={attempt.state === 'review' && no.ship === null ? 'primary' : 'normal'}
          icon="commit"
          data-testid="merge"
          {...refused(no.ship)}
          onClick={no.ship === null ? () => onOpen('merge') : undefined}
        >
          Merge
        </Button>
      )}
      <Menu
        label="More"
        items={items}
        open={menu}
        onOpenChange={setMenu}
        align="end"
        trigger={<IconButton icon="more" label="More actions" />}
      />
      <Suspense>
        {opened === 'follow-up' ? (
          <FollowUpDialog attempt={attempt_id} agent={agent} isRunning={isRunning} onClose={close} />
        ) : null}
        {opened === 'merge' ? <MergeDialog attempt={attempt} onClose={close} /> : null}
        {opened === 'rebase' ? <RebaseDialog attempt={attempt} onClose={close} /> : null}
        {opened === 'pull-request' ? <PullRequestDialog attempt={attempt} onClose={close} /> : null}
      </Suspense>
      <Confirm
        open={opened === 'stop'}
        onOpenChange={(open) => (open ? undefined : close())}
        title="Stop the run?"
        verb="Stop"
        danger
        onConfirm={() => {
          stop.mutate(undefined);
          close();
        }}
      >
        <p>The agent is ended. What it has written stays on its branch, and waiting follow-ups are taken back.</p>
      </Confirm>
    </>
  );
}
