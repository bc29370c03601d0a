import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { docsQuery } from '../api/docs.ts';
import { atWorkQuery, type Run, workerOf } from '../api/runs.ts';
import { searchQuery } from '../api/search.ts';
import { taskLook } from '../text/words.ts';
import { AgentTile } from '../ui/agent-tile.tsx';
import { Icon } from '../ui/icon.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { KeyLabel } from '../ui/key-label.tsx';
import { StatusIcon } from '../ui/status-icon.tsx';
import { PLACES } from './places.ts';
import { useProject } from './project.ts';
import { recentTasks } from './recent-tasks.ts';
import { useRunCommands } from './run-commands.ts';
import { switchTheme } from './theme.ts';
// Its scrim is that of dialogs.
import '../ui/dialog.css';
import { useListedKeys } from '../keys/bindings.ts';
import './palette.css';

interface Found {
  readonly id: string;
  readonly text: string;
  readonly mark: ReactNode;
  /** At the right, as the state of a task. */
  readonly note?: ReactNode;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

interface Group {
  readonly name: string;
  readonly items: readonly Found[];
}

interface PaletteProps {
  readonly onClose: () => void;
  readonly onNewTask: () => void;
  /** Opens the import of tasks; undefined where the reader may not write. */
  readonly onImport: (() => void) | undefined;
}

/** The text with the part that matches marked. */
function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  const at = query === '' ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + query.length)}</mark>
      {text.slice(at + query.length)}
    </>
  );
}

/** The agent that works on a task now, and the state of the task. */
function TaskNote({ run, state }: { readonly run: Run | undefined; readonly state: string }) {
  if (run === undefined) return state;
  const { id, name } = workerOf(run);
  return (
    <>
      <AgentTile id={id} name={name} size={16} />
      {state}
    </>
  );
}

/** ⌘K: finds tasks from two letters on, pages and commands by their words; > shows commands only. */
export function Palette({ onClose, onNewTask, onImport }: PaletteProps) {
  const navigate = useNavigate();
  const project = useProject();
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const isCommand = query.startsWith('>');
  const { data } = useQuery(searchQuery(query));
  const { data: docs } = useQuery({ ...docsQuery(query), enabled: query.length > 2 && !isCommand });
  const ofRuns = useRunCommands(isCommand ? '' : query);
  const { data: work } = useQuery(atWorkQuery);
  // The panel of a task is over its board; the modifier opens its page instead.
  const asPage = useRef(false);
  const goTask = (key: string) => () => {
    const board = key.replace(/-\d+$/, '');
    if (asPage.current || board === key) void navigate({ to: '/t/$key', params: { key } });
    else void navigate({ to: '/p/$key', params: { key: board }, search: { task: key } });
  };
  const go = (to: string) => () => void navigate({ to });
  const here: readonly Found[] = useListedKeys()
    .filter(({ stroke }) => /^[a-z]$/.test(stroke) && stroke !== 'c')
    .map(({ stroke, does, run }) => ({
      id: `here-${stroke}`,
      text: does,
      mark: <Icon name="command" />,
      keys: stroke,
      run: () => run(new KeyboardEvent('keydown', { key: stroke })),
    }));

  const commands: readonly Found[] = [
    { id: 'new', text: 'New task', mark: <Icon name="plus" />, keys: 'c', run: onNewTask },
    ...(onImport === undefined
      ? []
      : [{ id: 'import', text: 'Import tasks', mark: <Icon name="import" />, run: onImport }]),
    ...PLACES.flat().map(({ name, icon, to, key }) => ({
      id: `go-${name}`,
      text: `Go to ${name}`,
      mark: <Icon name={icon} />,
      keys: key === undefined ? undefined : `g ${key}`,
      run: go(to(project?.key ?? null)),
    })),
    { id: 'theme', text: 'Switch between light and dark', mark: <Icon name="moon" />, run: switchTheme },
    {
      id: 'docs',
      text: 'Open the documentation',
      mark: <Icon name="docs" />,
      run: () => window.open('/docs', '_blank', 'noopener'),
    },
  ];
  const tasks: readonly Found[] = (query.length > 1 && !isCommand ? (data?.issues ?? []) : []).map(
    ({ id, key, name, state }) => ({
      id,
      text: name,
      mark: (
        <>
          <StatusIcon of="task" status={taskLook({ group: state.group, state: state.name })} />
          <KeyLabel value={key ?? id.slice(0, 8)} />
        </>
      ),
      note: (
        <TaskNote run={work?.runs.find(({ task_key }) => task_key !== null && task_key === key)} state={state.name} />
      ),
      run: goTask(key ?? id),
    }),
  );
  const words = query.replace(/^>\s*/, '').toLowerCase();
  const isMatching = ({ text }: Found): boolean => text.toLowerCase().includes(words);
  const runs = ofRuns.map(({ icon, ...command }): Found => ({ ...command, mark: <Icon name={icon} /> }));
  const recent = recentTasks().map(
    ({ key, title }): Found => ({ id: `recent-${key}`, text: title, mark: <KeyLabel value={key} />, run: goTask(key) }),
  );
  const pages = (isCommand ? [] : (docs ?? [])).map(
    ({ title, page, address }): Found => ({
      id: `doc-${address}`,
      text: title,
      mark: <Icon name="docs" />,
      note: page === title ? 'docs' : page,
      run: () => window.open(address, '_blank', 'noopener'),
    }),
  );
  const groups: readonly Group[] = [
    { name: 'Last opened', items: query === '' ? recent : [] },
    { name: 'Tasks', items: tasks },
    // At first only what is everywhere: what a page does is found by its words.
    { name: 'On this page', items: words === '' ? [] : here.filter(isMatching) },
    // What goes to an agent comes last: Enter after the name of a page must not send it.
    { name: 'Commands', items: [...commands.filter(isMatching), ...(words === '' ? [] : runs.filter(isMatching))] },
    { name: 'Docs', items: pages },
  ].filter(({ items }) => items.length > 0);

  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup className="palette" aria-label="Commands and search" data-testid="palette">
          <Autocomplete.Root
            items={groups}
            value={typed}
            onValueChange={setTyped}
            mode="none"
            inline
            open
            autoHighlight="always"
            itemToStringValue={(found: Found) => found.text}
          >
            <div className="pal-in">
              <Icon name="search" />
              <Autocomplete.Input
                aria-label="Search or run a command"
                onKeyDown={(event) => {
                  asPage.current = event.ctrlKey || event.metaKey;
                  if (!asPage.current || event.key !== 'Enter') return;
                  // The list takes Enter alone.
                  event.preventDefault();
                  event.currentTarget
                    .closest('.palette')
                    ?.querySelector<HTMLElement>('.pal-list [data-highlighted]')
                    ?.click();
                }}
              />
              <Kbd keys="esc" />
              <Dialog.Close className="ibtn pal-x" aria-label="Close">
                <Icon name="x" />
              </Dialog.Close>
            </div>
            <Autocomplete.List className="pal-list">
              {(group: Group) => (
                <Autocomplete.Group key={group.name} items={group.items}>
                  <Autocomplete.GroupLabel className="pal-h">{group.name}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(found: Found) => (
                      <Autocomplete.Item
                        key={found.id}
                        value={found}
                        onClick={() => {
                          onClose();
                          found.run();
                        }}
                      >
                        {found.mark}
                        <span className="pal-t">
                          <Marked text={found.text} query={query} />
                        </span>
                        {found.note === undefined ? null : <span className="pal-r">{found.note}</span>}
                        {found.keys === undefined ? <Kbd keys="enter" /> : <Kbd keys={found.keys} />}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            <Autocomplete.Empty className="pal-none">
              {query === '' ? '' : `Nothing is called “${query}”.`}
            </Autocomplete.Empty>
            <footer>
              <span>
                <Kbd keys="up" />
                <Kbd keys="down" />
                move
              </span>
              <span>
                <Kbd keys="enter" />
                open
              </span>
              <span>
                <Kbd keys="mod+enter" />
                open as page
              </span>
              <span className="grow" />
              <span>
                <Kbd keys=">" />
                commands only
              </span>
            </footer>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
