import type { ComponentPropsWithRef, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { Kbd } from './kbd.tsx';
import './button.css';

export interface ButtonProps extends ComponentPropsWithRef<'button'> {
  /** One primary a view. Solid danger is for the last step of what cannot be undone. */
  readonly kind?: 'primary' | 'normal' | 'plain' | 'danger' | 'danger-solid' | undefined;
  readonly size?: 'normal' | 'small' | 'form' | undefined;
  readonly icon?: IconName | undefined;
  /** The key that does the same, as "a" or "mod+enter". The page listens for it; the button only shows it. */
  readonly keys?: string | undefined;
  /** The word while the call is under way, as “Sending…”: the button keeps its width and takes no second click. */
  readonly busy?: string | false | undefined;
  readonly children: ReactNode;
}

const KINDS = { primary: 'primary', normal: '', plain: 'plain', danger: 'danger', 'danger-solid': 'danger solid' };
const SIZES = { normal: '', small: 'small', form: 'tall' };

/** A button. While its call is under way it says so, keeps its width and the focus, and takes no second click. */
export function Button(props: ButtonProps) {
  const { kind = 'normal', size = 'normal', icon, keys, busy, children, className, onClick, ...rest } = props;
  const waits = typeof busy === 'string';
  return (
    <button
      type="button"
      aria-keyshortcuts={keys === undefined ? undefined : shortcut(keys)}
      {...rest}
      aria-busy={waits || undefined}
      // Not the disabled attribute: the button would lose the focus in the middle of its own work.
      aria-disabled={waits || rest['aria-disabled']}
      onClick={waits ? (event) => event.preventDefault() : onClick}
      className={classes('btn', KINDS[kind], SIZES[size], waits && 'busy', className)}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {waits ? (
        <span className="btn-words">
          <span className="btn-was" aria-hidden="true">
            {children}
          </span>
          <span>{busy}</span>
        </span>
      ) : (
        children
      )}
      {keys === undefined || waits ? null : <Kbd keys={keys} />}
    </button>
  );
}

/** Keys as aria-keyshortcuts writes them; sequences have no form there. */
function shortcut(keys: string): string | undefined {
  return keys.includes(' ')
    ? undefined
    : keys.replace('mod', 'Control').replace('enter', 'Enter').replace('esc', 'Escape');
}
