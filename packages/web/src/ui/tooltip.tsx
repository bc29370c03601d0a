import {
  cloneElement,
  type FocusEvent,
  type KeyboardEvent,
  type ReactElement,
  type Ref,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import './tooltip.css';
import { lazily } from './lazily.ts';

export interface TooltipProps {
  /** Words beside the control. They repeat or add to its name and never carry the only copy of a fact. */
  readonly text: string;
  readonly keys?: string | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
  /** The control itself: an element that takes a ref and props. */
  readonly children: ReactElement;
}

const DELAY_MS = 500;
/** After a hint the next one beside it opens at once. */
const NEXT_MS = 400;

/** Fetches it early. If that fails, it is loaded when it is drawn. */
const preload = () => void import('./tooltip-popup.tsx').catch(() => undefined);
const Popup = lazily(() => import('./tooltip-popup.tsx').then(({ TooltipPopup }) => TooltipPopup));

let lastShown = Number.NEGATIVE_INFINITY;

type Control = Readonly<Record<string, unknown>> & { readonly ref?: Ref<Element> };

/** Gives an element to everyone who wants it. */
function give(ref: Ref<Element> | undefined, element: Element | null): void {
  if (typeof ref === 'function') ref(element);
  else if (ref) ref.current = element;
}

/** Calls the handler that the control has itself. */
const callOwn = (own: unknown, event: unknown): void => {
  if (typeof own === 'function') own(event);
};

/** A hint on hover and on focus of the keyboard. */
export function Tooltip({ children, ...hint }: TooltipProps) {
  const [isShown, setShown] = useState(false);
  const anchor = useRef<Element>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The casts: the type of an element does not say which attributes it takes.
  const own = children.props as Control;
  const ownRef = own.ref;
  const ref = useCallback(
    (element: Element | null) => {
      anchor.current = element;
      give(ownRef, element);
    },
    [ownRef],
  );

  function show(): void {
    preload();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(true), performance.now() - lastShown < NEXT_MS ? 0 : DELAY_MS);
  }

  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setShown((was) => {
      if (was) lastShown = performance.now();
      return false;
    });
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);

  return (
    <>
      {cloneElement(children as ReactElement<Record<string, unknown>>, {
        ref,
        onPointerEnter: (event: unknown) => {
          callOwn(own.onPointerEnter, event);
          show();
        },
        onPointerLeave: (event: unknown) => {
          callOwn(own.onPointerLeave, event);
          hide();
        },
        onPointerDown: (event: unknown) => {
          callOwn(own.onPointerDown, event);
          hide();
        },
        onFocus: (event: FocusEvent) => {
          callOwn(own.onFocus, event);
          if (event.currentTarget.matches(':focus-visible')) show();
        },
        onBlur: (event: unknown) => {
          callOwn(own.onBlur, event);
          hide();
        },
        onKeyDown: (event: KeyboardEvent) => {
          callOwn(own.onKeyDown, event);
          hide();
        },
      })}
      {isShown ? (
        <Suspense>
          <Popup {...hint} anchor={anchor} />
        </Suspense>
      ) : null}
    </>
  );
}
