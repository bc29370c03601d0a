import './key-label.css';

export interface KeyLabelProps {
  /** Such as WEB-12. */
  readonly value: string;
}

/** The key of a task, in mono as every machine word. */
export function KeyLabel({ value }: KeyLabelProps) {
  return <span className="key">{value}</span>;
}
