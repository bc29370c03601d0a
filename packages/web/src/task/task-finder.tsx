import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchQuery } from '../api/search.ts';
import { taskLook } from '../text/words.ts';
import { Icon } from '../ui/icon.tsx';
import { Input } from '../ui/input.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { Popover } from '../ui/popover.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import './task-finder.css';

interface TaskFinderProps {
  /** As “Add a task to complete first”. */
  readonly label: string;
  readonly projectId: string;
  /** Ids of tasks that cannot be chosen. */
  readonly without: readonly string[];
  readonly onFound: (task_id: string) => void;
}

/** Finds a task of the project by its key or a few words, from two characters on. Enter takes the first. */
export function TaskFinder({ label, projectId, without, onFound }: TaskFinderProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const { data } = useQuery(searchQuery(query));
  const found = (query.length > 1 ? (data?.issues ?? []) : []).filter(
    ({ id, project_id }) => project_id === projectId && !without.includes(id),
  );

  function choose(id: string): void {
    setOpen(false);
    setTyped('');
    onFound(id);
  }
  return (
    <Popover
      label={label}
      open={isOpen}
      onOpenChange={setOpen}
      className="finder"
      trigger={
        <button className="add-line" type="button">
          <Icon name="plus" />
          {label}
        </button>
      }
    >
      <Input
        aria-label="Words or a key"
        placeholder="Words or a key"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key === 'Enter' && first !== undefined) choose(first.id);
        }}
      />
      <ul>
        {found.map(({ id, key, name, state }) => (
          <li key={id}>
            <button type="button" onClick={() => choose(id)}>
              <StatusIcon of="task" status={taskLook({ group: state.group, state: state.name })} />
              <KeyLabel value={key ?? id.slice(0, 8)} />
              <span className="t">{name}</span>
            </button>
          </li>
        ))}
      </ul>
      {query.length > 1 && found.length === 0 ? <p className="hint">No other task is called that.</p> : null}
    </Popover>
  );
}
