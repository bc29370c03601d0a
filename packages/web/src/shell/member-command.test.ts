import { expect, it } from 'vitest';
import { memberCommand } from './member-command.ts';

it('names the person and the project for the admin who is asked', () => {
  expect(memberCommand('Ana', 'WEB')).toBe('errand member add Ana --project WEB');
  expect(memberCommand('Ana Ruiz', 'WEB')).toBe('errand member add "Ana Ruiz" --project WEB');
});

it.each([
  ['Ana"; ls; "', 'WEB', 'errand member add NAME --project WEB'],
  ['$(ls)', 'WEB', 'errand member add NAME --project WEB'],
  ['Ana', 'x; ls', 'errand member add Ana --project KEY'],
  [undefined, undefined, 'errand member add NAME --project KEY'],
])('puts nothing into a command that a shell would run: %s, %s', (name, key, command) => {
  expect(memberCommand(name, key)).toBe(command);
});
