import type { ComponentPropsWithRef } from 'react';
import { classes } from './classes.ts';
import './input.css';

/** Several lines of text; it grows with them. */
export function Textarea({ className, ...rest }: ComponentPropsWithRef<'textarea'>) {
  return <textarea {...rest} className={classes('input', className)} />;
}
