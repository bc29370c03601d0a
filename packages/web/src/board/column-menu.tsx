import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { useToasts } from '../ui/toast.tsx';
import { useCopy } from '../ui/use-copy.ts';

interface ColumnMenuProps {
  readonly status: string;
  readonly name: string;
  readonly onFold: () => void;
  /** Undefined where no tasks may be added. */
  readonly onPaste: (() => void) | undefined;
  /** The line to add tasks, while it is open: it has the focus then. */
  readonly line: () => HTMLElement | null;
}

/** The address of the board at this column. */
const linkOf = (status: string): string => `${location.origin}${location.pathname}#${encodeURIComponent(status)}`;

/** The menu “More” of a column: fold it, paste a list into it, copy a link to it. */
export function ColumnMenu({ status, name, onFold, onPaste, line }: ColumnMenuProps) {
  const toasts = useToasts();
  const [, copy] = useCopy();
  return (
    <Menu
      label={`${name}: more`}
      align="end"
      trigger={<IconButton icon="more" label={`${name}: more`} />}
      finalFocus={line}
      items={[
        { id: 'fold', label: 'Fold', icon: <Icon name="fold" />, onSelect: onFold },
        ...(onPaste === undefined
          ? []
          : [{ id: 'paste', label: 'Paste a list', icon: <Icon name="import" />, onSelect: onPaste }]),
        {
          id: 'link',
          label: 'Copy a link to it',
          icon: <Icon name="link" />,
          onSelect: () => {
            copy(linkOf(status));
            toasts.show({ text: `Copied the link to ${name}` });
          },
        },
      ]}
    />
  );
}
