import { type ReactNode, useMemo } from 'react';
import type { Board } from '../api/board.ts';
import { setDensity, setFloats, useDensity, useFloats } from '../shell/theme.ts';
import { namesIn, PRIORITY_WORDS, plural } from '../text/words.ts';
import { Chip } from '../ui/chip.tsx';
import { FilterChip } from '../ui/filter-chip.tsx';
import { FilterField } from '../ui/filter-field.tsx';
import { Menu } from '../ui/menu.tsx';
import { type BoardFilter, choicesOf, waitingFor } from './filter.ts';

interface BoardBarProps {
  readonly board: Board;
  readonly filter: BoardFilter;
  readonly onFilter: (filter: BoardFilter) => void;
  /** What a page has beside the filters. */
  readonly children?: ReactNode;
}

/** The filters of the board (words, agent, label, priority, mine, needs you), and its density. */
export function BoardBar({ board, filter, onFilter, children }: BoardBarProps) {
  const density = useDensity();
  const floats = useFloats();
  const { agents, labels } = useMemo(() => choicesOf(board), [board]);
  const set = (part: Partial<BoardFilter>) => onFilter({ ...filter, ...part });
  const without = (name: keyof BoardFilter) => {
    const { [name]: _, ...rest } = filter;
    onFilter(rest);
  };
  const waiting = waitingFor(board);
  const total = board.columns.reduce((sum, { count }) => sum + count, 0);
  const priorities = namesIn(PRIORITY_WORDS);
  return (
    <div className="bar">
      <FilterField value={filter.q ?? ''} onChange={(q) => (q === '' ? without('q') : set({ q }))} />
      <FilterChip
        name="Agent"
        chosen={agents.find(({ id }) => id === filter.agent)?.name}
        items={agents.map(({ id, name }) => ({ id, label: name, onSelect: () => set({ agent: id }) }))}
        onClear={() => without('agent')}
      />
      <FilterChip
        name="Label"
        chosen={labels.find(({ id }) => id === filter.label)?.name}
        items={labels.map(({ id, name }) => ({ id, label: name, onSelect: () => set({ label: id }) }))}
        onClear={() => without('label')}
      />
      <FilterChip
        name="Priority"
        chosen={filter.priority && PRIORITY_WORDS[filter.priority]}
        items={priorities.map((id) => ({ id, label: PRIORITY_WORDS[id], onSelect: () => set({ priority: id }) }))}
        onClear={() => without('priority')}
      />
      <span className="bar-sep" />
      <Chip on={filter.mine === true} onClick={() => (filter.mine ? without('mine') : set({ mine: true }))}>
        Mine
      </Chip>
      <Chip
        // Amber is for what waits: without it the filter is one like the others.
        you={waiting > 0}
        icon="hand"
        count={waiting > 0 ? waiting : undefined}
        on={filter.you === true}
        onClick={() => (filter.you ? without('you') : set({ you: true }))}
      >
        Needs you
      </Chip>
      <span className="grow" />
      <span className="bar-note">{plural(total, 'task')}</span>
      {children}
      <Menu
        label="Display"
        align="end"
        items={[
          ...(['comfortable', 'compact'] as const).map((each) => ({
            id: each,
            label: each === 'compact' ? 'Compact' : 'Comfortable',
            current: each === density,
            onSelect: () => setDensity(each),
          })),
          {
            id: 'floats',
            label: 'What needs you comes first',
            apart: true,
            current: floats,
            onSelect: () => setFloats(!floats),
          },
        ]}
        trigger={
          <Chip className="plain" icon="display">
            Display
          </Chip>
        }
      />
    </div>
  );
}
