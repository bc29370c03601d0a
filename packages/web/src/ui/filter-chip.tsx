import { Chip } from './chip.tsx';
import { Menu, type MenuItem } from './menu.tsx';

export interface FilterChipProps {
  readonly name: string;
  /** The chosen values as text; undefined when nothing is chosen. */
  readonly chosen: string | undefined;
  readonly items: readonly MenuItem[];
  readonly onClear: () => void;
}

/** A filter that is chosen from a menu; a click on a set one removes it. */
export function FilterChip({ name, chosen, items, onClear }: FilterChipProps) {
  if (chosen !== undefined) {
    return (
      <Chip on onClick={onClear}>
        {chosen}
      </Chip>
    );
  }
  return <Menu label={name} filter={`${name}…`} items={items} trigger={<Chip opens>{name}</Chip>} />;
}
