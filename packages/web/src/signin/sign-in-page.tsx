import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { reasonOf, sendCalls } from '../api/client.ts';
import { signIn, signInOptionsQuery } from '../api/sign-in.ts';
import { BrandMark } from '../shell/brand-mark.tsx';
import { switchTheme } from '../shell/theme.ts';
import { Button } from '../ui/button.tsx';
import { CommandLine } from '../ui/copy-button.tsx';
import { Field } from '../ui/field.tsx';
import { Input } from '../ui/input.tsx';
import { FieldOfBars } from './field-of-bars.tsx';
import { FirstAdmin } from './first-admin.tsx';
import { ownPath } from './own-path.ts';
import './sign-in.css';

/**
 * Signs a person in by name and password, or says how to get a sign-in link; says so when a link has been used. The key
 * of the first admin leaves the address at once.
 */
export function SignInPage() {
  const { to, link, first } = useSearch({ from: '/signin' });
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: options } = useQuery(signInOptionsQuery);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const enter = useMutation({
    mutationFn: () => signIn(name.trim(), password),
    onSuccess: () => {
      client.clear();
      void navigate({ to: ownPath(to, window.location.origin), replace: true });
    },
  });
  // The key leaves the address at once, and with it the history of the browser.
  const [firstKey] = useState(first);
  useEffect(() => {
    if (first !== undefined) void navigate({ to: '/signin', search: {}, replace: true });
  }, [first, navigate]);
  useEffect(() => {
    // Of the person before nothing is kept.
    client.removeQueries({ type: 'inactive' });
    sendCalls();
  }, [client]);
  useEffect(() => {
    document.title = 'Sign in · Errand';
  }, []);

  function send(event: FormEvent): void {
    event.preventDefault();
    if (!enter.isPending) enter.mutate();
  }

  return (
    <div className="signin">
      <FieldOfBars />
      <main className="sign" id="content">
        <header>
          <BrandMark />
          <h1>{firstKey === undefined ? 'Sign in to Errand' : 'Welcome to Errand'}</h1>
          <p>{window.location.host}</p>
        </header>
        {firstKey !== undefined ? (
          <FirstAdmin linkKey={firstKey} />
        ) : options?.password ? (
          <form className="signcard" onSubmit={send}>
            <Field label="Name">
              <Input
                tall
                autoComplete="username"
                required
                value={name}
                onChange={({ target }) => setName(target.value)}
              />
            </Field>
            <Field label="Password" error={enter.error === null ? undefined : reasonOf(enter.error)}>
              <Input
                tall
                type="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            </Field>
            <Button kind="primary" size="form" type="submit" busy={enter.isPending ? 'Signing in…' : false}>
              Sign in
            </Button>
          </form>
        ) : (
          <div className="signcard">
            <p>
              {link === 'used'
                ? 'This link has been used: it works once. A new one comes from the machine that runs the server:'
                : 'A link that works once signs you in. The machine that runs the server makes one:'}
            </p>
            <CommandLine command="npx errand open" />
          </div>
        )}
        <p className="signnote">
          {options?.password ? (
            <>
              <code>npx errand open</code>, on the machine that runs the server, makes a link that signs you in.
            </>
          ) : (
            <>
              A password can be set in the settings, or with <code>npx errand user password</code>.
            </>
          )}
        </p>
      </main>
      <footer className="signfoot">
        <a href="/docs">Docs</a>
        <a href="/healthz">Health</a>
        <button className="link" type="button" onClick={switchTheme}>
          Light or dark
        </button>
      </footer>
    </div>
  );
}
