import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useCopy } from '../../ui/use-copy.ts';

interface FileMenuProps {
  readonly path: string;
  /** The key of the attempt, for the link. */
  readonly attempt: string;
  readonly isFolded: boolean;
  readonly onFold: (isFolded: boolean) => void;
  readonly isSeen: boolean;
  readonly onSeen: (isSeen: boolean) => void;
}

/** The menu “More” of a changed file: copy its path or a link to it, fold it, mark it as seen. */
export function FileMenu({ path, attempt, isFolded, onFold, isSeen, onSeen }: FileMenuProps) {
  const toasts = useToasts();
  const [, copy] = useCopy();
  const copied = (text: string, what: string) => () => {
    copy(text);
    toasts.show({ text: `Copied ${what}` });
  };
  const link = `${location.origin}/a/${attempt}?${new URLSearchParams({ tab: 'changes', file: path })}`;
  return (
    <Menu
      label={`${path}: more`}
      align="end"
      trigger={<IconButton icon="more" label={`${path}: more`} />}
      items={[
        { id: 'path', label: 'Copy the path', icon: <Icon name="copy" />, onSelect: copied(path, 'the path') },
        { id: 'link', label: 'Copy a link to it', icon: <Icon name="link" />, onSelect: copied(link, 'the link') },
        {
          id: 'fold',
          label: isFolded ? 'Unfold' : 'Fold',
          icon: <Icon name={isFolded ? 'down' : 'fold'} />,
          apart: true,
          onSelect: () => onFold(!isFolded),
        },
        {
          id: 'seen',
          label: isSeen ? 'Mark as not seen' : 'Mark as seen',
          icon: <Icon name="check" />,
          onSelect: () => onSeen(!isSeen),
        },
      ]}
    />
  );
}
