import { useEffect } from 'react';

/** A menu that does not come at all must not keep the keys. */
const MAX_WAIT_MS = 10_000;

const isInMenu = (): boolean => document.activeElement?.closest('.menu') != null;

/** Types into a field as the browser does: its value, and then the event. */
function type(field: HTMLInputElement, key: string): void {
  const value = key === 'Backspace' ? field.value.slice(0, -1) : field.value + key;
  // React looks at the setter of the element itself, and would not notice.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

function press({ key, code, shiftKey }: KeyboardEvent): void {
  const target = document.activeElement;
  if (target === null) return;
  const isTaken = !target.dispatchEvent(
    new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true }),
  );
  const isText = key.length === 1 || key === 'Backspace';
  if (!isTaken && isText && target instanceof HTMLInputElement) type(target, key);
}

/**
 * Keeps keys that a person presses before an opened menu is there, and gives them to it: they would be lost, or do
 * something on the page below.
 */
export function useTypedAhead(open: boolean): void {
  useEffect(() => {
    if (!open) return undefined;
    const waiting: KeyboardEvent[] = [];
    const until = performance.now() + MAX_WAIT_MS;
    let frame = 0;

    function take(event: KeyboardEvent): void {
      if (!event.isTrusted || (waiting.length === 0 && isInMenu())) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      waiting.push(event);
    }

    // One key in a frame: what a key does may be seen by the next one only when it is drawn.
    function give(): void {
      const next = isInMenu() ? waiting.shift() : undefined;
      if (next !== undefined) press(next);
      else if (isInMenu() || performance.now() > until) {
        stop();
        return;
      }
      frame = requestAnimationFrame(give);
    }

    function stop(): void {
      cancelAnimationFrame(frame);
      window.removeEventListener('keydown', take, { capture: true });
    }

    window.addEventListener('keydown', take, { capture: true });
    frame = requestAnimationFrame(give);
    return stop;
  }, [open]);
}
