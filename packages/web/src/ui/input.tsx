import type { ComponentPropsWithRef } from 'react';
import { classes } from './classes.ts';
import './input.css';

export interface InputProps extends ComponentPropsWithRef<'input'> {
  /** 36 high, as forms on a page of their own have it. */
  readonly tall?: boolean | undefined;
}

/** One line of text. Inside a Field it takes the field's id, hint and error by itself. */
export function Input({ tall, className, ...rest }: InputProps) {
  return <input {...rest} className={classes('input', tall && 'tall', className)} />;
}
