import { Markdown } from '../../text/markdown.tsx';
import { AgentTile } from '../agent-tile.tsx';
import { AnsweredFrame, ApprovalFrame } from '../approval-frame.tsx';
import { AvatarStack } from '../avatar-stack.tsx';
import { Band } from '../band.tsx';
import { Banner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { Card, CardBranch, CardHead, CardNow } from '../card.tsx';
import { Checklist, ChecklistRow } from '../checklist-row.tsx';
import { Diffstat } from '../diffstat.tsx';
import { Empty, Walker } from '../empty.tsx';
import { ErrorFrame } from '../error-frame.tsx';
import { KeyLabel } from '../key-label.tsx';
import { LeaseRing } from '../lease-ring.tsx';
import { LiveDot } from '../live-dot.tsx';
import { LabelTag, Meta } from '../meta.tsx';
import { NotAllowed } from '../not-allowed.tsx';
import { PersonDot } from '../person-dot.tsx';
import { PriorityIcon } from '../priority-icon.tsx';
import { Elapsed, RelativeTime } from '../relative-time.tsx';
import { Skeleton, SkeletonCard, SkeletonRows } from '../skeleton.tsx';
import { RunStatus } from '../status-icon.tsx';
import { StepBar } from '../step-bar.tsx';
import { BulkBar, Table, TableRow } from '../table.tsx';
import { ToastRow, useToasts } from '../toast.tsx';
import { AGENTS, idOfHue, Spec } from './spec.tsx';

const NOW = Date.now();
const HOURS = 3_600_000;
const none = () => {};
const [atlas, kite] = AGENTS;

function Invoice({
  title,
  ...state
}: {
  readonly title: string;
  readonly selected?: boolean;
  readonly dragged?: boolean;
}) {
  return (
    <Card label={`SHOP-151 ${title}`} {...state}>
      <CardHead priority={<PriorityIcon priority="high" />} taskKey="SHOP-151" />
      <h3>{title}</h3>
      <footer>
        <LabelTag id={idOfHue(5)} name="billing" />
        <span className="grow" />
        <Meta icon="criteria" title="Acceptance criteria">
          0/4
        </Meta>
        <RelativeTime at={NOW - 3 * HOURS} since="in this state since" />
      </footer>
    </Card>
  );
}

export function Cards() {
  return (
    <Spec wide={12} title="Card" note="Normal, selected, dragged, changed by an agent, and one that needs you.">
      <div className="cardrow">
        <Invoice title="Show VAT on invoices" />
        <Invoice title="Selected: tint and edge" selected />
        <Invoice title="Dragged: lifted, tilts 1°" dragged />
        <Card label="SHOP-137 Export orders as CSV" glow>
          <CardHead priority={<PriorityIcon priority="medium" />} taskKey="SHOP-137" by="kite moved this">
            <AgentTile id={kite?.id ?? ''} name="kite" />
          </CardHead>
          <h3>Export orders as CSV</h3>
          <footer>
            <LabelTag id={idOfHue(3)} name="web" />
            <span className="grow" />
            <Diffstat added={148} removed={38} />
            <RelativeTime at={NOW} />
          </footer>
        </Card>
        <Card label="SHOP-142 Retry card webhooks with backoff">
          <CardHead priority={<PriorityIcon priority="urgent" />} taskKey="SHOP-142">
            <LeaseRing id={atlas?.id ?? ''} name="atlas" state="waiting" label="atlas waits for you" />
          </CardHead>
          <h3>Retry card webhooks with backoff</h3>
          <CardNow text="Write the retry tests" ended={7} all={10} />
          <StepBar steps={{ completed: 6, failed: 1, waiting: 1, planned: 2 }} />
          <CardBranch>errand/retry-card-webhooks-3327da</CardBranch>
          <Band
            kind="you"
            actions={
              <Button size="small" keys="a">
                Approve
              </Button>
            }
          >
            <b>Needs you.</b> Run the migration?
          </Band>
        </Card>
      </div>
    </Spec>
  );
}

export function Things() {
  const { show } = useToasts();
  return (
    <>
      <Spec
        wide={6}
        title="Approval card"
        note="Options as the agent sent them: the first yes is A, the first no is D."
      >
        <div className="stack">
          <ApprovalFrame
            kind="Approval"
            taskKey="SHOP-138"
            question="Run the migration on the staging database?"
            command="npm run db:migrate -- --env staging"
            aside={<Elapsed from={NOW - 134_000} />}
            actions={
              <>
                <Button kind="primary" keys="a">
                  Approve once
                </Button>
                <Button keys="2">Always approve</Button>
                <Button keys="d">Deny</Button>
                <span className="grow" />
                <Button kind="plain" keys="r">
                  Reply
                </Button>
              </>
            }
          />
          <AnsweredFrame
            answer="Approved once"
            taskKey="SHOP-138"
            question="Run the migration on the staging database?"
            aside={
              <>
                <PersonDot name="Ana Ruiz" size={16} />
                <RelativeTime at={NOW} as="clock" />
              </>
            }
          />
        </div>
      </Spec>
      <Spec wide={6} title="Table" note="Head 34, rows 36, hairlines, one frame.">
        <Table
          label="Runs"
          columns={[
            { id: 'status', label: 'Status', width: 140, sortable: true },
            { id: 'task', label: 'Task' },
            { id: 'who', label: 'Who', width: 90 },
          ]}
          sort={{ by: 'status', down: true }}
          onSort={none}
        >
          {(['running', 'waiting', 'lost', 'completed'] as const).map((status, at) => (
            <TableRow key={status} selected={at === 1}>
              <td>
                <RunStatus status={status} />
              </td>
              <td>
                <KeyLabel value={`SHOP-${at}`} /> Retry card webhooks
              </td>
              <td>
                <AvatarStack who={AGENTS.slice(0, 5).map((agent) => ({ ...agent, kind: 'agent' }))} size={16} />
              </td>
            </TableRow>
          ))}
        </Table>
        <BulkBar actions={<Button size="small">Retry</Button>}>1 selected</BulkBar>
      </Spec>
      <Spec wide={4} middle title="Empty" note="Elapsed time shows that it is alive.">
        <Empty
          icon={<Walker big />}
          title={
            <>
              Waiting for the first step <Elapsed from={NOW - 18_000} className="faint" />
            </>
          }
        >
          moss has started. Steps appear as they are reported.
        </Empty>
      </Spec>
      <Spec wide={4} middle title="Error" note="In place. What failed, code, request id, what to do.">
        <ErrorFrame
          what="The diff could not be loaded"
          why="The repository did not answer within 10 s. The rest of this attempt is up to date."
          code="repo_unreachable"
          requestId="req_01a1e0b2"
          onRetry={none}
        />
      </Spec>
      <Spec wide={4} middle title="Not allowed" note="Names the missing right and who can give it.">
        <NotAllowed
          title="Operations is for admins"
          granters={['Sam Okoro', 'Ines Park']}
          request="May I see Operations?"
        >
          You are a member of Harbour. To see this page you need the role <b>admin</b>.
        </NotAllowed>
      </Spec>
      <Spec wide={4} middle title="Reconnecting" note="The dot changes shape and word, not only colour.">
        <div className="stack">
          <LiveDot state={{ kind: 'live' }} onRetry={none} />
          <LiveDot state={{ kind: 'again', waiting: 2 }} onRetry={none} />
          <LiveDot state={{ kind: 'off', since: NOW }} onRetry={none} />
          <LiveDot state={{ kind: 'live', caughtUp: 14 }} onRetry={none} />
        </div>
      </Spec>
      <Spec wide={4} middle title="Undo and refusal" note="Undo stays 8 s; a refusal says why and where it is now.">
        <div className="stack">
          <ToastRow toast={{ text: 'Moved 3 tasks to Review', onUndo: none }} onClose={none} />
          <ToastRow
            toast={{
              kind: 'refused',
              lead: 'SHOP-138 went back to In progress.',
              text: 'kite holds its claim until 14:21.',
              action: { label: 'Show', onClick: none },
            }}
            onClose={none}
          />
          <Button onClick={() => show({ text: 'Moved 1 task', onUndo: none })}>Show a toast</Button>
        </div>
      </Spec>
      <Spec wide={4} middle title="Text" note="Markdown without HTML, images or remote loads.">
        <Markdown
          source={'When it answers `5xx`, see [the guide](https://example.com/retries).\n\n- [x] first\n- [ ] second'}
        />
        <Checklist>
          <ChecklistRow checked text="Retries stop after five" onChange={none}>
            kite
          </ChecklistRow>
          <ChecklistRow checked={false} text="The delay doubles" onChange={none} />
        </Checklist>
      </Spec>
      <Spec wide={12} middle title="Loading" note="After 150 ms, in the final layout. One slow breath, no shimmer.">
        <Skeleton label="Tasks">
          <div className="minicols">
            <SkeletonCard lines={['86%', '54%']} />
            <SkeletonCard lines={['78%']} steps />
            <SkeletonRows rows={3} />
          </div>
        </Skeleton>
      </Spec>
      <Spec wide={12} middle title="Banners" note="Above the content, one at a time, with the one thing to do.">
        <div className="bannerset">
          <Banner icon="info" actions={<Button size="small">Restore</Button>}>
            <b>Sam Okoro deleted this task at 14:11.</b> You can still read it; changes are off.
          </Banner>
          <Banner kind="you" icon="clock" actions={<Button size="small">Hand over now</Button>}>
            <b>No sign of life since 14:04.</b> The claim returns at 14:19; then another agent can take it.
          </Banner>
          <Banner kind="fail" icon="lock" actions={<Button size="small">Open the owner</Button>}>
            <b>The owner of this agent is blocked.</b> Its tokens are off until an admin unblocks Sam Okoro.
          </Banner>
        </div>
      </Spec>
    </>
  );
}
