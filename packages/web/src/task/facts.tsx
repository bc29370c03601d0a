import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { taskQuery } from '../api/task.ts';
import { branchOf } from '../attempt/can.ts';
import { leaseOf, workerOf } from '../board/card-looks.ts';
import { ago, clock, day } from '../text/time.ts';
import { PRIORITY_WORDS, taskLook } from '../text/words.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Fact } from '../ui/fact.tsx';
import { Icon } from '../ui/icon.tsx';
import { LeaseRing } from '../ui/lease-ring.tsx';
import { LabelTag } from '../ui/meta.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { PriorityIcon } from '../ui/priority-icon.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { pageClock } from '../ui/use-clock.ts';
import { AttemptList } from './attempt-list.tsx';
import type { Edits } from './edits.ts';
import { nameOf } from './links.tsx';
import { DatePicker, LabelPicker, PeoplePicker, PriorityPicker, StatePicker } from './pickers.tsx';
import type { TaskView } from './use-task.ts';
import './facts.css';

interface FactsProps {
  readonly view: TaskView;
  readonly edits: Edits | null;
  readonly isMoving: boolean;
  readonly onMoving: (open: boolean) => void;
}

function Worker({ view }: Pick<FactsProps, 'view'>) {
  const { card } = view;
  const worker = card === null ? null : workerOf(card);
  if (card === null || worker === null) return null;
  const lease = leaseOf(card, pageClock.now());
  const { claim, run } = card;
  return (
    <Fact name="Agent">
      {lease === null ? (
        <AgentTile id={worker.id} name={worker.name} silent />
      ) : (
        <LeaseRing
          id={worker.id}
          name={worker.name}
          state={lease}
          from={claim?.claimed_at ?? run?.started_at}
          until={claim?.expires_at}
          label={claim === null ? worker.name : `claimed by ${claim.name} until ${clock(claim.expires_at)}`}
        />
      )}
      <span className="pad">{worker.name}</span>
    </Fact>
  );
}

/** What the branches and repositories of the newest attempt are. */
function Places({ view }: Pick<FactsProps, 'view'>) {
  const { talk } = view;
  if (talk === undefined) return null;
  const branch = branchOf(talk);
  return (
    <>
      {talk.repos.map(({ repo_id, repo_name, target_branch }) => (
        <Fact name="Repository" key={repo_id}>
          <Icon name="repo" />
          {repo_name}
          <span className="faint">→ {target_branch}</span>
        </Fact>
      ))}
      {branch === null ? null : (
        <Fact name="Branch">
          <span className="mono small ell" title={branch}>
            {branch}
          </span>
          <CopyButton text={branch} label="Copy the branch" />
        </Fact>
      )}
    </>
  );
}

function Ties({ view }: Pick<FactsProps, 'view'>) {
  const { task, issue } = view.seen;
  const parent = task.parent_key ?? task.parent_id;
  const { data: named } = useQuery({ ...taskQuery(parent ?? ''), enabled: parent !== null });
  return (
    <dl>
      {parent === null ? null : (
        <Fact name="Parent">
          <Link className="key" to="/t/$key" params={{ key: parent }}>
            {parent}
          </Link>
          <span className="ell">{named?.task.title}</span>
        </Fact>
      )}
      {task.blocks.length === 0 ? null : (
        <Fact name="Blocks">
          {task.blocks.map((each) => (
            <Link className="key" key={each.task_id} to="/t/$key" params={{ key: nameOf(each) }} title={each.title}>
              {nameOf(each)}
            </Link>
          ))}
        </Fact>
      )}
      <Fact name="Created">
        {issue.created_by === undefined ? null : issue.created_by.kind === 'agent' ? (
          <AgentTile id={issue.created_by.id} name={issue.created_by.name} size={16} silent />
        ) : (
          <PersonDot name={issue.created_by.name} size={16} silent />
        )}
        {issue.created_by?.name}
        <span className="faint">{day(issue.created_at, pageClock.now())}</span>
      </Fact>
    </dl>
  );
}

/**
 * The properties of a task beside its page: state, priority, agent and claim, assignees, labels, due date,
 * repositories, branch, parent, what it blocks.
 */
export function Facts({ view, edits, isMoving, onMoving }: FactsProps) {
  const { seen, board } = view;
  const { task, issue } = seen;
  const column = board?.columns.find(({ status }) => status === task.status);
  return (
    <aside className="side" aria-label="Properties">
      <dl>
        <Fact name="State">
          <StatePicker
            view={view}
            edits={edits}
            open={isMoving}
            onOpenChange={onMoving}
            trigger={
              <button className="fact-edit" type="button" disabled={edits === null}>
                <StatusIcon
                  of="task"
                  status={taskLook({ group: column?.group ?? 'unstarted', state: column?.name, ready: task.is_ready })}
                />
                {column?.name ?? task.status}
              </button>
            }
          />
        </Fact>
        <Fact name="Priority">
          <PriorityPicker
            view={view}
            edits={edits}
            trigger={
              <button className="fact-edit" type="button" disabled={edits === null}>
                <PriorityIcon priority={task.priority} />
                {PRIORITY_WORDS[task.priority]}
              </button>
            }
          />
        </Fact>
        <Worker view={view} />
        <Fact name="Assignee">
          <PeoplePicker
            view={view}
            edits={edits}
            trigger={
              <button className="fact-edit" type="button" disabled={edits === null}>
                {issue.assignees.length === 0 ? <span className="faint">Nobody</span> : null}
                {issue.assignees.map(({ id, name }) => (
                  <span className="fact-who" key={id}>
                    <PersonDot name={name} silent />
                    {name}
                  </span>
                ))}
              </button>
            }
          />
        </Fact>
        <Fact name="Labels">
          <LabelPicker
            view={view}
            edits={edits}
            trigger={
              <button className="fact-edit" type="button" disabled={edits === null}>
                {issue.labels.length === 0 ? <span className="faint">None</span> : null}
                {issue.labels.map(({ id, name }) => (
                  <LabelTag key={id} id={id} name={name} />
                ))}
              </button>
            }
          />
        </Fact>
        <Fact name="Due">
          <DatePicker
            view={view}
            edits={edits}
            trigger={
              <button className="fact-edit" type="button" disabled={edits === null}>
                <Icon name="calendar" />
                {issue.target_date === undefined ? (
                  <span className="faint">No date</span>
                ) : (
                  <>
                    {day(`${issue.target_date}T00:00`, pageClock.now())}
                    <span className="faint">{ago(`${issue.target_date}T23:59`, pageClock.now())}</span>
                  </>
                )}
              </button>
            }
          />
        </Fact>
        <Places view={view} />
      </dl>
      <AttemptList view={view} canWrite={edits !== null} />
      <h2>Links</h2>
      <Ties view={view} />
    </aside>
  );
}
