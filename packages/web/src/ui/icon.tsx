import { memo } from 'react';
import { classes } from './classes.ts';
import { ICONS, type IconName } from './icons.ts';
import './icon.css';

export interface IconProps {
  readonly name: IconName;
  /** Class names beside `i`: `st` draws a status smaller and with a heavier line. */
  readonly className?: string | undefined;
  /** Says what the icon means where no word beside it does; without it the icon is hidden from readers. */
  readonly label?: string | undefined;
}

interface Part {
  readonly paint: string | undefined;
  readonly d: string;
}

const parts = new Map<IconName, readonly Part[]>();

function partsOf(name: IconName): readonly Part[] {
  let known = parts.get(name);
  if (known === undefined) {
    known = ICONS[name].split('|').map((part) => {
      const [paint, d] = part.split('>');
      return d === undefined ? { paint: undefined, d: part } : { paint: `p-${paint}`, d };
    });
    parts.set(name, known);
  }
  return known;
}

/** An icon of the 16 grid, in the colour of the text around it. */
export const Icon = memo(function Icon({ name, className, label }: IconProps) {
  return (
    <svg
      className={classes('i', className)}
      viewBox="0 0 16 16"
      role={label === undefined ? undefined : 'img'}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
    >
      {partsOf(name).map(({ paint, d }) => (
        <path key={d} className={paint} d={d} pathLength={paint === 'p-walk' ? 100 : undefined} />
      ))}
    </svg>
  );
});
