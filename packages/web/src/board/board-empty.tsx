import { CommandLine } from '../ui/copy-button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Kbd } from '../ui/kbd.tsx';

/** A board without a task: three ways to begin. */
export function BoardEmpty() {
  return (
    <Empty icon="board" title="Tasks of this project will appear here.">
      <p>
        Type one with <Kbd keys="c" />, paste a list at the foot of a column, or let an agent plan the work:
      </p>
      <CommandLine command="errand connect" />
    </Empty>
  );
}
