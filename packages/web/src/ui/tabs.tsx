import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import './tabs.css';

export interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  readonly count?: ReactNode;
}

export interface TabsProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly tabs: readonly Tab<Value>[];
  /** The content of the chosen tab. */
  readonly children: ReactNode;
}

/** Parts of one page, one at a time. Where each part has an address of its own, use TabLinks with the router's links. */
export function Tabs<Value extends string>({ label, value, onChange, tabs, children }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(next: Value) => onChange(next)}>
      <Base.List className="tabs" aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value}>
            {tab.label}
            {tab.count === undefined ? null : <span className="num">{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value}>{children}</Base.Panel>
    </Base.Root>
  );
}

export interface TabLinksProps {
  readonly label: string;
  /** Links; the one of this page carries aria-current="page". */
  readonly children: ReactNode;
}

export function TabLinks({ label, children }: TabLinksProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {children}
    </nav>
  );
}
