import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { reasonOf } from '../api/client.ts';
import { beginAsAdmin } from '../api/sign-in.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';

const LEAST_CHARACTERS = 10;

interface FirstAdminProps {
  /** The key of the link by which the person came. */
  readonly linkKey: string;
}

/**
 * The first admin of a server chooses a name and a password. The link ends with that (when it works:
 * `services/first-admin.ts`).
 */
export function FirstAdmin({ linkKey }: FirstAdminProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const begin = useMutation({
    mutationFn: () => beginAsAdmin({ key: linkKey, name: name.trim(), password }),
    onSuccess: () => {
      client.clear();
      void navigate({ to: '/', replace: true });
    },
    onError: (error) => setProblem(reasonOf(error)),
  });

  function send(event: FormEvent): void {
    event.preventDefault();
    if (begin.isPending) return;
    const isSame = password === repeated;
    setProblem(isSame ? null : 'The two passwords differ.');
    if (isSame) begin.mutate();
  }

  return (
    <form className="signcard" onSubmit={send}>
      <p>This server has no admin yet. Choose your name and your password.</p>
      <Field label="Name">
        <Input
          tall
          autoComplete="username"
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <Field label="Password" hint={`At least ${LEAST_CHARACTERS} characters`}>
        <Input
          tall
          type="password"
          autoComplete="new-password"
          required
          minLength={LEAST_CHARACTERS}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </Field>
      <Field label="Repeat it" error={problem ?? undefined}>
        <Input
          tall
          type="password"
          autoComplete="new-password"
          required
          value={repeated}
          onChange={({ target }) => setRepeated(target.value)}
        />
      </Field>
      <Button kind="primary" size="form" type="submit" busy={begin.isPending ? 'Setting up…' : false}>
        Become the admin
      </Button>
    </form>
  );
}
