import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import type { IconName } from './icons.ts';
import { useCopy } from './use-copy.ts';
import './copy-button.css';

export interface CopyButtonProps {
  readonly text: string;
  /** What is copied, as “Copy the request id”. */
  readonly label: string;
  /** Tiny: the mark beside an id. Words: a small plain button with its label. Button: one with an edge. */
  readonly as?: 'tiny' | 'icon' | 'words' | 'button' | undefined;
  /** What is drawn before it was pressed: two sheets unless given. */
  readonly icon?: IconName | undefined;
}

/** Copies its text, and says that it did. */
export function CopyButton({ text, label, as = 'tiny', icon: drawn = 'copy' }: CopyButtonProps) {
  const [copied, copy] = useCopy();
  const icon = copied === 'yes' ? 'check' : copied === 'failed' ? 'alert' : drawn;
  const said = copied === 'yes' ? 'Copied' : copied === 'failed' ? 'The browser refused to copy' : '';
  return (
    <>
      {as === 'words' || as === 'button' ? (
        <Button kind={as === 'button' ? 'normal' : 'plain'} size="small" icon={icon} onClick={() => copy(text)}>
          {copied === 'yes' ? 'Copied' : label}
        </Button>
      ) : (
        <IconButton
          icon={icon}
          label={label}
          size={as === 'tiny' ? 'tiny' : 'normal'}
          onClick={(event) => {
            event.stopPropagation();
            copy(text);
          }}
        />
      )}
      <span className="sr" role="status">
        {said}
      </span>
    </>
  );
}

export interface CommandLineProps {
  readonly command: string;
}

/** A command to copy, in a well. */
export function CommandLine({ command }: CommandLineProps) {
  return (
    <div className="cmdline">
      <span className="faint" aria-hidden="true">
        $
      </span>
      <code>{command}</code>
      <CopyButton text={command} label="Copy the command" />
    </div>
  );
}
