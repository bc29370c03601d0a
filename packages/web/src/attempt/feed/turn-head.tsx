import { clock, exact } from '../../text/time.ts';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { holdsOf, type Turn } from './turns.ts';

interface TurnHeadProps {
  readonly turn: Turn;
  /** Its number; null while older turns are not loaded. */
  readonly number: number | null;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The head of a turn: folds and unfolds it. */
export function TurnHead({ turn, number, isOpen, onToggle }: TurnHeadProps) {
  return (
    <button className={classes('turn-head', isOpen && 'open')} type="button" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name={isOpen ? 'down' : 'right'} />
      <b>{number === null ? 'Turn' : `Turn ${number}`}</b>
      <span className="t">{turn.title}</span>
      <span className="grow" />
      <span className="faint">{holdsOf(turn)}</span>
      <time dateTime={new Date(turn.from).toISOString()} title={exact(turn.from)}>
        {clock(turn.from)}
      </time>
    </button>
  );
}
