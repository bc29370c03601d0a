import { adminChangePassword } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import type { Me } from '../api/me.ts';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { PersonDot } from '../ui/person-dot.tsx';
import { Form } from './form.tsx';
import { Section } from './section.tsx';
import { errorOf, useChange } from './use-change.ts';

interface YouSectionProps {
  readonly me: Me;
}

/** Who is signed in, and the form that changes their password, which signs their other browsers out. */
export function YouSection({ me }: YouSectionProps) {
  const change = useChange({
    inPlace: true,
    send: ({ current, password }: { readonly current: string; readonly password: string }) =>
      answerOf(adminChangePassword({ password, ...(current !== '' && { current }) })),
    said: () => 'Changed your password. Your other browsers are signed out.',
  });
  return (
    <Section title="You" about="A new password signs your other browsers out.">
      <p className="set-me">
        <PersonDot name={me.user.name} size={32} silent />
        <span className="two">
          <b>{me.user.name}</b>
          <span>
            {me.user.role === 'admin' ? 'Admin' : 'Member'} of {me.workspace.name}
          </span>
        </span>
      </p>
      <Form
        verb="Change the password"
        busy={change.isPending}
        onSend={(value, form) =>
          change.mutate({ current: value('current'), password: value('password') }, { onSuccess: () => form.reset() })
        }
      >
        <Field label="Current password" hint="Leave it empty if you have none yet." error={errorOf(change)}>
          <Input name="current" type="password" autoComplete="current-password" maxLength={200} />
        </Field>
        <Field label="New password" hint="At least 10 characters.">
          <Input name="password" type="password" autoComplete="new-password" required minLength={10} maxLength={200} />
        </Field>
      </Form>
    </Section>
  );
}
