import { RUN_WORDS, type RunLook, STEP_WORDS, type StepLook, TASK_WORDS, type TaskLook } from '../text/words.ts';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './status-icon.css';

const TASK_ICONS: Readonly<Record<TaskLook, IconName>> = {
  todo: 'st-todo',
  ready: 'st-ready',
  progress: 'st-progress',
  you: 'hand',
  review: 'st-review',
  done: 'st-done',
  cancelled: 'st-cancelled',
};

interface Common {
  /** Adds the status as a name for readers, where no word beside the icon says it. */
  readonly named?: boolean | undefined;
  /** 16 instead of 14. */
  readonly large?: boolean | undefined;
}

export type StatusIconProps = Common &
  (
    | { readonly of: 'task'; readonly status: TaskLook }
    | { readonly of: 'run'; readonly status: RunLook }
    | { readonly of: 'step'; readonly status: StepLook }
  );

/** Shape is kind: circles are tasks, rounded squares are runs, bare glyphs are steps. */
export function StatusIcon(props: StatusIconProps) {
  const size = classes('st', props.large && 'st16');
  switch (props.of) {
    case 'task':
      return (
        <Icon
          name={TASK_ICONS[props.status]}
          className={props.status === 'you' ? classes('c-you', size) : size}
          label={props.named ? TASK_WORDS[props.status] : undefined}
        />
      );
    case 'run':
      return (
        <Icon name={`run-${props.status}`} className={size} label={props.named ? RUN_WORDS[props.status] : undefined} />
      );
    case 'step':
      return <StepIcon status={props.status} label={props.named ? STEP_WORDS[props.status] : undefined} />;
  }
}

function StepIcon({ status, label }: { readonly status: StepLook; readonly label: string | undefined }) {
  switch (status) {
    case 'completed':
      return <Icon name="check" className="g done" label={label} />;
    case 'failed':
      return <Icon name="x" className="g fail" label={label} />;
    case 'skipped':
      return <Icon name="skip" className="g skip" label={label} />;
    case 'quiet':
      return <Icon name="quiet" className="g skip" label={label} />;
    default:
      return (
        <i
          className={classes('g', status === 'running' ? 'pulse' : status === 'waiting' ? 'wait' : 'none')}
          {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
        />
      );
  }
}

export interface RunStatusProps {
  readonly status: RunLook;
}

/** The status of a run with its word, in its colour. */
export function RunStatus({ status }: RunStatusProps) {
  return (
    <span className={`stat is-${status}`}>
      <StatusIcon of="run" status={status} large />
      {RUN_WORDS[status]}
    </span>
  );
}
