import { useKeys } from '../keys/bindings.ts';
import { PRIORITY_WORDS, plural } from '../text/words.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Empty } from '../ui/empty.tsx';
import type { BoardFilter, choicesOf } from './filter.ts';

interface BoardUnmatchedProps {
  /** How many tasks there are. */
  readonly hidden: number;
  readonly filter: BoardFilter;
  /** What the filters can be set to, by name. */
  readonly choices: ReturnType<typeof choicesOf>;
  readonly onFilter: (filter: BoardFilter) => void;
}

type Part = readonly [name: keyof BoardFilter, words: string];

/** What hides the tasks, in words. */
function partsOf(filter: BoardFilter, { agents, labels }: BoardUnmatchedProps['choices']): readonly Part[] {
  const { q, agent, label, priority, mine, you } = filter;
  const named = (all: typeof agents, id: string): string => all.find((each) => each.id === id)?.name ?? id.slice(0, 8);
  const parts: readonly (Part | undefined)[] = [
    q === undefined ? undefined : ['q', `“${q}”`],
    agent === undefined ? undefined : ['agent', `agent: ${named(agents, agent)}`],
    label === undefined ? undefined : ['label', `label: ${named(labels, label)}`],
    priority === undefined ? undefined : ['priority', `priority: ${PRIORITY_WORDS[priority]}`],
    mine === undefined ? undefined : ['mine', 'Mine'],
    you === undefined ? undefined : ['you', 'Needs you'],
  ];
  return parts.filter((part) => part !== undefined);
}

/** A board whose filters hide every task: names them, and undoes each or all of them. */
export function BoardUnmatched({ hidden, filter, choices, onFilter }: BoardUnmatchedProps) {
  const clear = () => onFilter({});
  useKeys({ escape: { does: 'Clear filters', run: clear } });
  return (
    <div className="page">
      <Empty
        icon="filter"
        title="No task matches"
        actions={
          <Button size="small" keys="esc" onClick={clear}>
            Clear filters
          </Button>
        }
      >
        <div className="unmatched">
          {partsOf(filter, choices).map(([name, words]) => (
            <Chip key={name} on onClick={() => onFilter({ ...filter, [name]: undefined })}>
              {words}
            </Chip>
          ))}
        </div>
        <p>{`${plural(hidden, 'task')} ${hidden === 1 ? 'is' : 'are'} hidden by these filters.`}</p>
      </Empty>
    </div>
  );
}
