import { Menu as Base } from '@base-ui/react/menu';
import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import { itemOfKey, keysOf, type MenuItem, sectionsOf } from './menu-items.ts';
import './menu.css';

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
  readonly align?: 'start' | 'center' | 'end' | undefined;
  readonly side?: 'top' | 'bottom' | 'left' | 'right' | undefined;
}

/** A list of things to do. What is refused stays, with the reason and a lock. */
export function Menu(props: MenuProps) {
  const { label, items, trigger, anchor, filter, keys: opener, align = 'start', side = 'bottom' } = props;
  const [own, setOwn] = useState(false);
  const [query, setQuery] = useState('');
  const open = props.open ?? own;
  const keys = keysOf(items, props.numbered ?? filter !== undefined);

  function change(next: boolean): void {
    setOwn(next);
    props.onOpenChange?.(next);
  }

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const item = itemOfKey(items, keys, event.key, { on: filter !== undefined, query });
    if (item !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      change(false);
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
    <Base.Root open={open} onOpenChange={(next) => change(next)}>
      {trigger === undefined ? null : <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Positioner
          className="menu-at"
          {...(trigger === undefined ? { anchor: anchor ?? null } : {})}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          <Base.Popup className="menu" aria-label={label} onKeyDownCapture={press}>
            {filter === undefined ? (
              sections
            ) : (
              <>
                <div className="menu-in">
                  <Icon name="search" />
                  <Base.Input placeholder={filter} aria-label={`Filter: ${label}`} />
                  {opener === undefined ? null : <Kbd keys={opener} />}
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
