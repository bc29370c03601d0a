import { SETTINGS, type Setting } from '../../packages/server/src/settings.ts';
import { code, page, table } from './markdown.ts';

export function configurationPage(): string {
  const settings: readonly Setting[] = Object.values(SETTINGS);
  return page(
    '# Configuration',
    'Flags win over the environment, the environment over the defaults. A bad value ends the program with exit code 2 and one line that names the variable, what it got and what it takes.',
    table(
      ['variable', 'flag', 'takes', 'default', 'what it does'],
      settings.map(({ variable, flag, takes, default_text, description }) => [
        code(variable),
        flag === null ? '' : code(flag),
        takes,
        default_text,
        description,
      ]),
    ),
  );
}
