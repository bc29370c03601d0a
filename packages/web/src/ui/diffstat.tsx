import { count } from '../text/words.ts';
import './diffstat.css';

export interface DiffstatProps {
  readonly added: number;
  readonly removed: number;
}

/** Lines added and removed: +148 −38. */
export function Diffstat({ added, removed }: DiffstatProps) {
  return (
    <span className="meta delta">
      <b className="plus">+{count(added)}</b>
      <b className="minus">−{count(removed)}</b>
    </span>
  );
}
