import type { RefObject } from 'react';
import { type InboxRow, idOf } from '../api/inbox.ts';
import { useKeys } from '../keys/bindings.ts';

interface InboxKeysProps {
  readonly rows: readonly InboxRow[];
  readonly current: InboxRow | undefined;
  readonly element: RefObject<HTMLElement | null>;
  readonly chosen: readonly InboxRow[];
  readonly onOpen: (row: InboxRow) => void;
  readonly onToggle: (row: InboxRow) => void;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  readonly answerAll: (key: 'a' | 'd') => void;
}

/** The keys of the inbox: J K move, X selects, A approves, D denies, R replies, numbers choose an option. */
export function useInboxKeys(props: InboxKeysProps): void {
  const { rows, current, element, chosen, onOpen, onToggle, onSelect, answerAll } = props;
  const ids = rows.map(idOf);
  const step = (by: 1 | -1): InboxRow | undefined => rows[current === undefined ? 0 : rows.indexOf(current) + by];
  const show = (row: InboxRow) => {
    onOpen(row);
    const row_id = CSS.escape(idOf(row));
    element.current?.querySelector<HTMLElement>(`[data-row="${row_id}"]`)?.focus();
  };
  const move = (by: 1 | -1) => () => {
    const next = step(by);
    if (next !== undefined) show(next);
  };
  const extend = (by: 1 | -1) => () => {
    const next = step(by);
    if (current === undefined || next === undefined) return;
    onSelect(new Set([...chosen.map(idOf), idOf(current), idOf(next)].filter((id) => ids.includes(id))));
    show(next);
  };
  /** Presses the button of the opened entry that shows this key. */
  const press = (key: string) =>
    element.current?.querySelector<HTMLButtonElement>(`.ib-detail button[aria-keyshortcuts="${key}" i]`)?.click();
  const decide = (key: 'a' | 'd') => () => (chosen.length > 0 ? answerAll(key) : press(key));
  const reply = () => element.current?.querySelector<HTMLTextAreaElement>('.ib-detail textarea')?.focus();

  useKeys({
    j: { does: 'Next entry', run: move(1) },
    k: { does: 'Entry before', run: move(-1) },
    x: {
      does: 'Select',
      run: () => {
        if (current !== undefined) onToggle(current);
      },
    },
    'shift+j': { does: 'Select the next', run: extend(1) },
    'shift+k': { does: 'Select the one before', run: extend(-1) },
    a: { does: 'Approve, or what is first', run: decide('a') },
    d: { does: 'Deny', run: decide('d') },
    r: { does: 'Reply', run: reply },
    ...Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [String(at + 1), { run: () => press(String(at + 1)) }] as const),
    ),
    escape: { run: () => onSelect(new Set()) },
  });
}
