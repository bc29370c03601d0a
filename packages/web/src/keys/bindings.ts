import { useEffect, useRef, useSyncExternalStore } from 'react';
import { matched, SEQUENCE_MS, strokeOf } from './stroke.ts';

export interface Binding {
  /** What the key does, for the list of keys: "New task". Without it, the key is not listed. */
  readonly does?: string;
  readonly run: (event: KeyboardEvent) => void;
}

export type Bindings = Readonly<Record<string, Binding>>;

/** Later layers are nearer to the person: a dialog's keys win over those of the page below it. */
let layers: readonly { readonly current: Bindings }[] = [];
const listeners = new Set<() => void>();

function setLayers(next: typeof layers): void {
  layers = next;
  for (const listener of listeners) listener();
}

const TYPED_IN = 'input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"]';

const isTyped = (event: KeyboardEvent): boolean =>
  event.target instanceof Element && event.target.closest(TYPED_IN) !== null;

/** Enter on a control that has the focus presses that control, whatever the page does with the key. */
const isPress = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && event.target instanceof Element && event.target.matches('button, a[href], summary');

let before: { readonly stroke: string; readonly until: number } | null = null;

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isPress(event)) return;
  const stroke = strokeOf(event);
  // While a person types, only keys with ⌘ or Ctrl and Escape are commands.
  if (isTyped(event) && !stroke.startsWith('mod+') && stroke !== 'escape') return;
  const earlier = before !== null && event.timeStamp < before.until ? before.stroke : null;
  before = null;
  for (const { current } of layers.toReversed()) {
    const found = matched(new Set(Object.keys(current)), earlier, stroke);
    if (found === 'wait') before = { stroke, until: event.timeStamp + SEQUENCE_MS };
    else if (found !== null) {
      event.preventDefault();
      current[found]?.run(event);
      return;
    }
  }
}

/** Listens to the keys of a view while it is shown. */
export function useKeys(bindings: Bindings): void {
  const layer = useRef(bindings);
  layer.current = bindings;
  useEffect(() => {
    if (layers.length === 0) document.addEventListener('keydown', onKeyDown);
    setLayers([...layers, layer]);
    return () => {
      setLayers(layers.filter((each) => each !== layer));
      if (layers.length === 0) document.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export interface ListedKey extends Required<Binding> {
  readonly stroke: string;
}

/** The keys that work now, the nearest first. */
export function useListedKeys(): readonly ListedKey[] {
  const now = useSyncExternalStore(subscribe, () => layers);
  const seen = new Map<string, ListedKey>();
  for (const { current } of now.toReversed()) {
    for (const [stroke, { does, run }] of Object.entries(current)) {
      if (does !== undefined && !seen.has(stroke)) seen.set(stroke, { stroke, does, run });
    }
  }
  return [...seen.values()];
}
