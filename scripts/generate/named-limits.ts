const CONSTANT =
  /^(?:export )?const ([A-Z][A-Z0-9_]*)(?:: number)? = (?:([-\w. *]+)|\{ ([^{}]+?),? \}(?: as const)?);/gm;
const LIMIT = /^(?:MAX|MIN|DEFAULT)_|(?:^|_)(?:MS|S|BYTES|CHARACTERS|DAYS|PAGE|BATCH|PORT)$/;
/** A unit of time is a factor of limits, and none itself. */
const UNIT = /^(?:SECOND|MINUTE|HOUR|DAY|YEAR)_/;
const LITERAL = /^-?\d[\d_]*(?:\.\d+)?$/;
const MS: readonly (readonly [string, number])[] = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];
const BYTES: readonly (readonly [string, number])[] = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
];

/** The number that a product of literals and constants stands for, or null for any other expression. */
function numberOf(expression: string, known: ReadonlyMap<string, number>): number | null {
  const factors = expression
    .split(' * ')
    .map((factor) => (LITERAL.test(factor) ? Number(factor.replaceAll('_', '')) : known.get(factor)));
  return factors.every((factor) => factor !== undefined)
    ? factors.reduce((product, factor) => product * factor, 1)
    : null;
}

const unitsOf = (name: string) => {
  if (name.endsWith('_MS')) return { units: MS, smallest: ' ms' };
  if (name.endsWith('_BYTES')) return { units: BYTES, smallest: ' bytes' };
  return { units: [], smallest: name.endsWith('_S') ? ' s' : '' };
};

function shown(name: string, value: number): string {
  const { units, smallest } = unitsOf(name);
  const [unit, size] = units.find(([, each]) => value >= each && value % each === 0) ?? [];
  const text = (number: number) => number.toLocaleString('en-US', { useGrouping: !name.endsWith('PORT') });
  return size === undefined ? `${text(value)}${smallest}` : `${text(value / size)} ${unit}`;
}

/** A limit with several numbers: each with its name. */
const partsOf = (fields: string): readonly string[] =>
  fields.split(', ').flatMap((field) => {
    const [name = '', expression = ''] = field.split(': ');
    const value = numberOf(expression, new Map());
    return value === null ? [] : [`${name} ${shown(name, value)}`];
  });

/** Every constant of a source text that holds numbers, each number with its unit. */
export function numbersIn(source: string): ReadonlyMap<string, string> {
  const known = new Map<string, number>();
  const texts = [...source.matchAll(CONSTANT)].map(([, name = '', expression = '', fields = '']) => {
    const value = numberOf(expression, known);
    if (value !== null) known.set(name, value);
    const numbers = value === null ? partsOf(fields) : [shown(name, value)];
    return [name, numbers.join(' and ')] as const;
  });
  return new Map(texts.filter(([, text]) => text !== ''));
}

/** The limits, waiting times and sizes that a source text gives names to, each with its number and unit. */
export function namedLimits(source: string): ReadonlyMap<string, string> {
  return new Map([...numbersIn(source)].filter(([name]) => LIMIT.test(name) && !UNIT.test(name)));
}
