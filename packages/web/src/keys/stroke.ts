/** What of a keyboard event tells which key was pressed. */
export interface Pressed {
  readonly key: string;
  readonly metaKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * Names what was pressed: `c`, `?`, `enter`, `mod+k`, `shift+j`. `mod` is ⌘ or Ctrl. Shift is named only with letters and
 * with keys that have a name: what it does to others is in the character itself.
 */
export function strokeOf({ key, metaKey, ctrlKey, altKey, shiftKey }: Pressed): string {
  const lower = key === ' ' ? 'space' : key.toLowerCase();
  const named = lower.length > 1 || lower !== key.toUpperCase().toLowerCase() || /[a-z]/.test(lower);
  return [(metaKey || ctrlKey) && 'mod', altKey && 'alt', shiftKey && named && 'shift', lower]
    .filter(Boolean)
    .join('+');
}

/** A key that begins a sequence waits this long for the next one. */
export const SEQUENCE_MS = 1_000;

/**
 * Finds the binding for a stroke, given those pressed just before. A sequence such as `g b` wins over its last key;
 * while a sequence may still be completed, the answer is `wait`.
 */
export function matched(bindings: ReadonlySet<string>, before: string | null, stroke: string): string | 'wait' | null {
  const sequence = before === null ? null : `${before} ${stroke}`;
  if (sequence !== null && bindings.has(sequence)) return sequence;
  if (bindings.has(stroke)) return stroke;
  return [...bindings].some((binding) => binding.startsWith(`${stroke} `)) ? 'wait' : null;
}
