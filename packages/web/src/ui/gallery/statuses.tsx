import type { RunLook, StepLook, TaskLook } from '../../text/words.ts';
import { RUN_WORDS, STEP_WORDS, TASK_WORDS } from '../../text/words.ts';
import { AgentTile } from '../agent-tile.tsx';
import { Badge } from '../badge.tsx';
import { LeaseRing } from '../lease-ring.tsx';
import { PersonDot } from '../person-dot.tsx';
import { PriorityIcon } from '../priority-icon.tsx';
import type { LeaseState } from '../ring-shape.ts';
import { StatusIcon } from '../status-icon.tsx';
import { StepBar } from '../step-bar.tsx';
import { AGENTS, KitRow, Spec } from './spec.tsx';

const TASKS: readonly (readonly [TaskLook, string])[] = [
  ['todo', 'ring'],
  ['ready', 'ring, dot'],
  ['progress', 'half'],
  ['you', 'hand'],
  ['review', 'three quarters'],
  ['done', 'full, check'],
  ['cancelled', 'ring, cross'],
];
const RUNS: readonly (readonly [RunLook, string])[] = [
  ['queued', 'dashes'],
  ['running', 'walking line'],
  ['waiting', 'full, pause'],
  ['completed', 'full, check'],
  ['failed', 'full, cross'],
  ['stopped', 'inner square'],
  ['lost', 'open corners'],
];
const STEPS: readonly (readonly [StepLook, string])[] = [
  ['completed', 'solid'],
  ['running', 'half, breathes'],
  ['planned', 'track'],
  ['skipped', 'hollow'],
  ['failed', 'broken'],
  ['waiting', 'hatched'],
  ['quiet', 'dotted'],
];
const TEN: readonly StepLook[] = [
  'completed',
  'completed',
  'skipped',
  'completed',
  'failed',
  'completed',
  'completed',
  'running',
  'planned',
  'planned',
];
const RINGS: readonly (readonly [LeaseState, number, number, string, string, string])[] = [
  ['claimed', 0, 72, 'Claimed', '72 % of the claim left', 'claimed by atlas until 14:19'],
  ['waiting', 1, 40, 'Needs you', 'amber, claim goes on', 'kite waits for you'],
  ['quiet', 2, 50, 'Quiet', 'dots, from 60 s', 'juno is quiet'],
  ['stalled', 5, 14, 'Stalled', 'amber, tile fades, 10 min', 'pixel stalled'],
  ['lost', 3, 0, 'Lost', 'broken, claim is over', 'no sign of life from moss'],
];
const SIZES = [16, 20, 24, 28, 32, 40] as const;
const FACES = [16, 20, 24, 28, 32] as const;
const PRIORITIES = [
  ['urgent', 'Urgent'],
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
  ['none', 'None'],
] as const;
const NOW = Date.now();
const CLAIM = 10 * 60_000;

export function Statuses() {
  return (
    <>
      <Spec wide={4} title="Task states" note="A circle that fills. Always with its word.">
        <ul className="glyphs">
          {TASKS.map(([status, shape]) => (
            <li key={status}>
              <StatusIcon of="task" status={status} />
              <b>{TASK_WORDS[status]}</b>
              <span>{shape}</span>
            </li>
          ))}
        </ul>
      </Spec>
      <Spec wide={4} title="Run statuses" note="A rounded square, as the agent that runs it.">
        <ul className="glyphs">
          {RUNS.map(([status, shape]) => (
            <li key={status}>
              <StatusIcon of="run" status={status} />
              <b>{RUN_WORDS[status]}</b>
              <span>{shape}</span>
            </li>
          ))}
        </ul>
      </Spec>
      <Spec wide={4} title="Step bar" note="One segment a step. The texture says it without colour.">
        <ul className="seglist">
          {STEPS.map(([status, texture]) => (
            <li key={status}>
              <StepBar big steps={[status]} />
              <b>{STEP_WORDS[status]}</b>
              <span>{texture}</span>
            </li>
          ))}
        </ul>
        <div className="segfull">
          <StepBar big counted steps={TEN} />
        </div>
      </Spec>
      <Spec wide={6} title="Lease ring" note="Runs down clockwise from the top. Each state has a line of its own.">
        <ul className="ringlist">
          {RINGS.map(([state, agent, left, word, note, label]) => (
            <li key={state}>
              <LeaseRing
                id={AGENTS[agent]?.id ?? ''}
                name={AGENTS[agent]?.name ?? ''}
                size={32}
                state={state}
                from={NOW - (CLAIM * (100 - left)) / 100}
                until={NOW + (CLAIM * left) / 100}
                label={label}
              />
              <b>{word}</b>
              <span>{note}</span>
            </li>
          ))}
        </ul>
      </Spec>
      <Spec wide={6} title="Who, badges, priority" note="Agents: square, mono, hue by id. People: circle, no hue.">
        <KitRow name="Agents">
          {AGENTS.map((agent) => (
            <AgentTile key={agent.id} {...agent} size={24} />
          ))}
        </KitRow>
        <KitRow name="People">
          <PersonDot name="Ana Ruiz" size={24} />
          <PersonDot name="Sam Okoro" size={24} />
          <PersonDot name="Ines Park" size={24} />
        </KitRow>
        <KitRow name="Sizes">
          {SIZES.map((size) => (
            <AgentTile key={size} id={AGENTS[0]?.id ?? ''} name="atlas" size={size} />
          ))}
          {FACES.map((size) => (
            <PersonDot key={size} name="Ana Ruiz" size={size} />
          ))}
        </KitRow>
        <KitRow name="Badges">
          <Badge tone="run" icon="play">
            running
          </Badge>
          <Badge tone="you" icon="hand">
            needs you
          </Badge>
          <Badge tone="review" icon="eye">
            review
          </Badge>
          <Badge tone="done" icon="check">
            done
          </Badge>
          <Badge tone="fail" icon="alert">
            failed
          </Badge>
          <Badge icon="quiet">quiet 1 min</Badge>
        </KitRow>
        <KitRow name="Priority" className="prios">
          {PRIORITIES.map(([priority, word]) => (
            <span key={priority}>
              <PriorityIcon priority={priority} />
              {word}
            </span>
          ))}
        </KitRow>
      </Spec>
    </>
  );
}
