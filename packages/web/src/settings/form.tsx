import type { FormEvent, ReactNode } from 'react';
import { Button } from '../ui/button.tsx';

interface FormProps {
  /** What the form does, on its button. */
  readonly verb: string;
  readonly busy: boolean;
  /** Beside each other instead of below. */
  readonly inline?: boolean;
  readonly onSend: (values: FormValues, form: HTMLFormElement) => void;
  readonly children: ReactNode;
}

/** What was typed into the fields, by their names. */
export type FormValues = (name: string) => string;

/** Fields with one button that sends them. */
export function Form({ verb, busy, inline = false, onSend, children }: FormProps) {
  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    if (!busy) onSend((name) => String(typed.get(name) ?? ''), form);
  }
  return (
    <form className={inline ? 'set-form inline' : 'set-form'} onSubmit={send}>
      {children}
      <div className="set-send">
        <Button type="submit" busy={busy ? 'Saving…' : false}>
          {verb}
        </Button>
      </div>
    </form>
  );
}
