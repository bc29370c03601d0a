import { initials } from '../text/hue.ts';
import './who.css';

export interface PersonDotProps {
  readonly name: string;
  readonly size?: 16 | 20 | 24 | 28 | 32 | undefined;
  /** The name stands beside the circle, so a screen reader need not say it twice. */
  readonly silent?: boolean | undefined;
}

/** A person: a circle with initials, without a hue. */
export function PersonDot({ name, size = 20, silent }: PersonDotProps) {
  return (
    <span className="who" title={name}>
      <span className={`face s${size}`} aria-hidden="true">
        {initials(name)}
      </span>
      {silent ? null : <span className="sr">{name}</span>}
    </span>
  );
}
