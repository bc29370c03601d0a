import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import { type Toast, type ToastContent, ToastList } from './toast-list.ts';
import './toast.css';

const Toasts = createContext<ToastList | undefined>(undefined);

export interface UseToasts {
  /** Shows a toast for 8 s and answers its number. */
  readonly show: (content: ToastContent) => number;
  readonly close: (id: number) => void;
  /** Undoes the newest change that can be, as the undo key does; whether there was one. */
  readonly undo: () => boolean;
}

/** Shows a toast, or undoes the newest change. */
export function useToasts(): UseToasts {
  const list = useContext(Toasts);
  if (list === undefined) {
    throw new Error('useToasts is called outside of ToastProvider.');
  }
  return list;
}

export interface ToastProviderProps {
  readonly children: ReactNode;
}

/**
 * Holds the toasts of the page, at its foot. ⌘Z or Ctrl Z undoes the newest change, not while a person types in a
 * field. Their time and number: `ui/toast-list.ts`.
 */
export function ToastProvider({ children }: ToastProviderProps) {
  const [list] = useState(
    () =>
      new ToastList({
        now: () => performance.now(),
        after: (milliseconds, run) => window.setTimeout(run, milliseconds),
        // Safe: it comes from `after`.
        stop: (timer) => window.clearTimeout(timer as number),
      }),
  );
  const toasts = useSyncExternalStore(list.listen, list.toasts);
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const undo =
        (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z';
      // In a text field the key belongs to what was typed.
      if (undo && !event.defaultPrevented && !isText(event.target) && list.undo()) {
        event.preventDefault();
      }
    }
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [list]);
  return (
    <Toasts value={list}>
      {children}
      {createPortal(
        <section
          className="toasts"
          aria-label="Messages"
          onMouseEnter={() => list.hold(true)}
          onMouseLeave={() => list.hold(false)}
          onFocus={() => list.hold(true)}
          onBlur={() => list.hold(false)}
        >
          <div className="toasts-list" role="status" aria-live="polite">
            {toasts.map((toast) => (
              <ToastRow key={toast.id} toast={toast} onClose={() => list.close(toast.id)} />
            ))}
          </div>
        </section>,
        document.body,
      )}
    </Toasts>
  );
}

function isText(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

export interface ToastRowProps {
  readonly toast: ToastContent | Toast;
  readonly onClose: () => void;
}

export function ToastRow({ toast, onClose }: ToastRowProps) {
  const { kind = 'said', lead, text, mark, onUndo, action } = toast;
  function after(run: () => void): () => void {
    return () => {
      onClose();
      run();
    };
  }
  return (
    <div className={classes('toast', kind === 'refused' && 'bad')}>
      {mark ?? (kind === 'refused' ? <Icon name="alert" /> : <Icon name="check" className="g done" />)}
      <p>
        {lead === undefined ? null : (
          <>
            <b>{lead}</b>{' '}
          </>
        )}
        {text}
      </p>
      {action === undefined ? null : (
        <button className="link" type="button" onClick={after(action.onClick)}>
          {action.label}
        </button>
      )}
      {onUndo === undefined ? null : (
        <>
          <button className="link" type="button" onClick={after(onUndo)}>
            Undo
          </button>
          <Kbd keys="mod+z" />
        </>
      )}
    </div>
  );
}
