import { keyText } from '../text/words.ts';
import './kbd.css';

export interface KbdProps {
  /** Keys as "mod+k", "esc", "g i": printed as this system writes them. */
  readonly keys: string;
}

/** A key to press. Readers of screens learn it from aria-keyshortcuts of the control, not from here. */
export function Kbd({ keys }: KbdProps) {
  return (
    <kbd aria-hidden="true" data-key={keys}>
      {keyText(keys)}
    </kbd>
  );
}
