import { Menu as Base } from '@base-ui/react/menu';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import type { MenuProps } from './menu.tsx';
import { itemOfKey, keysOf, type MenuItem, sectionsOf } from './menu-items.ts';

export interface MenuPopupProps extends Omit<MenuProps, 'trigger' | 'anchor' | 'onOpenChange'> {
  readonly open: boolean;
  readonly anchor: Element | RefObject<Element | null> | null;
  /** The control that opened it, which gets the focus back. */
  readonly opener: RefObject<HTMLElement | null> | undefined;
  /** Opened by a key: the first item has the focus then. */
  readonly byKey: boolean;
  readonly onChange: (open: boolean) => void;
}

/**
 * The opened menu: its filter, its keys, and the focus, which goes back to what opened it. It is loaded when somebody
 * is about to open one.
 */
export function MenuPopup(props: MenuPopupProps) {
  const { label, items, open, anchor, opener, byKey, filter, align = 'start', side = 'bottom', onChange } = props;
  const [query, setQuery] = useState('');
  const popup = useRef<HTMLDivElement>(null);
  const keys = keysOf(items, props.numbered ?? filter !== undefined);
  useEffect(() => {
    if (!open || !byKey || filter !== undefined) return;
    const timer = requestAnimationFrame(() => popup.current?.querySelector<HTMLElement>('.menu-item')?.focus());
    return () => cancelAnimationFrame(timer);
  }, [open, byKey, filter]);

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const item = itemOfKey(items, keys, event.key, { on: filter !== undefined, query });
    if (item !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      onChange(false);
      item.onSelect();
    }
  }

  const sections = sectionsOf(items).map((section, at) => (
    <Base.Group key={section[0]?.id} data-part="">
      {at === 0 ? null : <Base.Separator className="menu-line" />}
      {section.map((item) => (
        <Row key={item.id} item={item} keys={keys.get(item.id)} />
      ))}
    </Base.Group>
  ));
  const root = (
    <Base.Root open={open} onOpenChange={(next) => onChange(next)}>
      <Base.Portal>
        <Base.Positioner
          className="menu-at"
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          <Base.Popup
            ref={popup}
            className="menu"
            aria-label={label}
            onKeyDownCapture={press}
            finalFocus={props.finalFocus ?? opener ?? true}
          >
            {filter === undefined ? (
              sections
            ) : (
              <>
                <div className="menu-in">
                  <Icon name="search" />
                  <Base.Input placeholder={filter} aria-label={`Filter: ${label}`} />
                  {props.keys === undefined ? null : <Kbd keys={props.keys} />}
                </div>
                <Base.Empty className="menu-none">Nothing matches.</Base.Empty>
                <Base.List className="menu-list" aria-label={label}>
                  {sections}
                </Base.List>
              </>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
  return filter === undefined ? (
    root
  ) : (
    <Base.FilterProvider autoHighlight onValueChange={(value) => setQuery(value)}>
      {root}
    </Base.FilterProvider>
  );
}

interface RowProps {
  readonly item: MenuItem;
  readonly keys: string | undefined;
}

function Row({ item, keys }: RowProps): ReactNode {
  const small = item.refused ?? item.note;
  return (
    <Base.Item
      className={classes('menu-item', item.danger && 'danger')}
      label={item.label}
      disabled={item.refused !== undefined}
      onClick={item.onSelect}
    >
      {item.icon}
      <span>
        {item.label}
        {item.current ? <span className="sr">, current</span> : null}
        {small === undefined ? null : <small>{small}</small>}
      </span>
      {item.current ? <Icon name="check" className="cur" /> : null}
      {item.refused === undefined ? null : <Icon name="lock" className="cur" />}
      {item.refused !== undefined || keys === undefined ? null : <Kbd keys={keys} />}
    </Base.Item>
  );
}
