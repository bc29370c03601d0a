import { useQuery } from '@tanstack/react-query';
import { type AdminCreateTokenBody, adminCreateToken } from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { useState } from 'react';
import { ALLOWS } from '../agents/presets.ts';
import { meQuery } from '../api/me.ts';
import { exact } from '../text/time.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { Form } from './form.tsx';
import { errorOf, useChange } from './use-change.ts';

type Scope = AdminCreateTokenBody['scopes'][number];

/** What a person's command line needs on the board. Starting agents costs money: a person ticks it. */
const USUAL: readonly Scope[] = ['project:read', 'board:read', 'board:write'];

interface NewTokenProps {
  readonly onClose: () => void;
}

/**
 * Makes a token of the person who is signed in: for 7 days at first, and not longer than they are signed in. It is
 * shown once.
 */
export function NewToken({ onClose }: NewTokenProps) {
  const { data: me } = useQuery(meQuery);
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(USUAL));
  const create = useChange({
    inPlace: true,
    send: (body: AdminCreateTokenBody) => answerOf(adminCreateToken(body)),
  });
  const made = create.data;
  const refusal = errorOf(create);
  const isTime = refusal?.startsWith('expires_in') ?? false;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}
      title={made === undefined ? 'New token' : 'Copy the token now'}
      testId="new-token"
    >
      {made === undefined ? (
        <Form
          verb="Create the token"
          busy={create.isPending}
          onSend={(value) =>
            create.mutate({
              kind: 'user',
              name: value('name'),
              scopes: [...scopes],
              expires_in: value('expires'),
            })
          }
        >
          <Field label="Name" hint="What uses it, as “laptop”." error={isTime ? undefined : refusal}>
            <Input name="name" required maxLength={100} />
          </Field>
          <Field
            label="Works for"
            hint="As 7d or 12h: not longer than you are signed in here. errand token create makes longer ones."
            error={isTime ? refusal : undefined}
          >
            <Input name="expires" defaultValue="7d" required maxLength={10} />
          </Field>
          <fieldset className="set-scopes">
            <legend>What it may do</legend>
            {(me?.scopes ?? []).map((scope) => (
              <label key={scope} htmlFor={`scope-${scope}`}>
                <Checkbox
                  id={`scope-${scope}`}
                  checked={scopes.has(scope)}
                  onChange={(isOn) =>
                    setScopes((now) => {
                      const next = new Set(now);
                      if (isOn) next.add(scope);
                      else next.delete(scope);
                      return next;
                    })
                  }
                />
                <span className="two">
                  <span>{ALLOWS[scope]}</span>
                  <span className="mono">{scope}</span>
                </span>
              </label>
            ))}
          </fieldset>
        </Form>
      ) : (
        <>
          <p>
            It is shown this once, and cannot be read again. It works until{' '}
            {made.expires_at === null ? 'somebody revokes it' : exact(made.expires_at)}.
          </p>
          <div className="cmdline">
            <code>{made.token}</code>
            <CopyButton text={made.token} label="Copy the token" />
          </div>
        </>
      )}
    </Dialog>
  );
}
