import type { ReactNode } from 'react';
import './fact.css';

/** A name and its value in one line, inside a `dl`. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
