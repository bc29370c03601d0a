import fc from 'fast-check';

const PIECES = [
  ...[
    '--output=x',
    '-x',
    '--',
    '..',
    '.',
    '/',
    '\\',
    'ext::sh -c touch% x',
    'a/../b',
    '@{',
    '@',
    '.lock',
    '.git',
    '.GIT',
    'git~1',
    'HEAD',
  ],
  ...[
    '\n',
    '\t',
    '\0',
    '\u007f',
    ' ',
    '"',
    "'",
    '$(touch x)',
    '`',
    ';',
    '*',
    '?',
    '[',
    '~',
    '^',
    ':',
    ':(top)',
    'ü',
    '\u202e',
    '\ud83d\ude00',
  ],
  ...['a', 'b', 'main', 'refs/heads/', 'file://', '%2e%2e', '\u200b', 'CON', '+2', 'x'.repeat(300)],
];

/** Names that a program could take for an option, a path, a range, a pattern or a command. */
export const aName: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.stringMatching(/^[a-z0-9./@_-]{1,30}$/),
);
