import {
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  Suspense,
  useRef,
  useState,
} from 'react';
import type { MenuItem } from './menu-items.ts';
import { useTypedAhead } from './typed-ahead.ts';
import './menu.css';
import { lazily } from './lazily.ts';

export type { MenuItem } from './menu-items.ts';

export interface MenuProps {
  /** What the menu does: its name for readers. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** The control that opens it. A menu that a key opens has an anchor instead. */
  readonly trigger?: ReactElement | undefined;
  readonly anchor?: Element | null | undefined;
  /** The words in the filter, as “Move to…”. Without them there is no filter, and letters act as keys. */
  readonly filter?: string | undefined;
  /** The key that opens this menu, shown in the filter. */
  readonly keys?: string | undefined;
  /** Gives items the keys 1 to 9; menus with a filter do so by themselves. */
  readonly numbered?: boolean | undefined;
  readonly open?: boolean | undefined;
  readonly onOpenChange?: ((open: boolean) => void) | undefined;
  /** What has the focus when the menu has closed; otherwise what had it before. */
  readonly finalFocus?: (() => HTMLElement | null) | undefined;
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
}

// Most of the first view's weight would be menus that nobody has opened.
/** Fetches it early. If that fails, it is loaded when it is drawn. */
const preload = () => void import('./menu-popup.tsx').catch(() => undefined);
const Popup = lazily(() => import('./menu-popup.tsx').then(({ MenuPopup }) => MenuPopup));

/** A list of things to do. What is refused stays, with the reason and a lock. */
export function Menu(props: MenuProps) {
  const { trigger, anchor, onOpenChange, ...rest } = props;
  const [own, setOwn] = useState(false);
  const [isUsed, setUsed] = useState(false);
  const [byKey, setByKey] = useState(false);
  const button = useRef<HTMLElement>(null);
  const wasOpen = useRef(false);
  const open = props.open ?? own;
  if (open && !isUsed) setUsed(true);
  useTypedAhead(open);

  function change(next: boolean): void {
    setOwn(next);
    onOpenChange?.(next);
  }

  function show(isKey: boolean): void {
    setByKey(isKey);
    change(true);
  }

  // The cast: the type of an element does not say which attributes it takes.
  return (
    <>
      {trigger === undefined
        ? null
        : cloneElement(trigger as ReactElement<Record<string, unknown>>, {
            ref: button,
            'aria-haspopup': 'menu',
            'aria-expanded': open,
            onPointerEnter: preload,
            onFocus: preload,
            onPointerDown: () => {
              wasOpen.current = open;
            },
            onClick: ({ detail }: MouseEvent) => {
              // The press that closed the menu ends in a click, which must not open it again.
              if (detail === 0 || !wasOpen.current) show(detail === 0);
              wasOpen.current = false;
            },
            onKeyDown: (event: KeyboardEvent) => {
              if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
              event.preventDefault();
              show(true);
            },
          })}
      {isUsed || open ? (
        <Suspense>
          <Popup
            {...rest}
            open={open}
            anchor={trigger === undefined ? (anchor ?? null) : button}
            opener={trigger === undefined ? undefined : button}
            byKey={byKey}
            onChange={change}
          />
        </Suspense>
      ) : null}
    </>
  );
}
