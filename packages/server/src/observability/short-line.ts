/** A bell, an escape sequence or a reversed direction in a field would act on the terminal. */
const ACTING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const PLAIN = /^[\w.:/@+-]+$/;

const escaped = (text: string): string =>
  text.replaceAll(ACTING, (sign) => `\\u${sign.codePointAt(0)?.toString(16).padStart(4, '0')}`);

function written(value: unknown): string {
  return escaped(typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value));
}

interface Line {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly pid: number;
  readonly error?: { readonly stack?: string };
}

const stackOf = ({ stack = '' }: { readonly stack?: string }): string =>
  stack
    .split('\n')
    .map((line) => `\n  ${escaped(line)}`)
    .join('');

/** Writes a JSON line of the log for a person: the time of day, the level, the message and the fields. */
export function shortLine(json: string): string {
  const { level, time, pid: _, msg, error, ...fields }: Line = JSON.parse(json);
  const named = Object.entries(fields).map(([name, value]) => ` ${escaped(name)}=${written(value)}`);
  const head = `${new Date(time).toTimeString().slice(0, 8)} ${level} ${escaped(msg)}`;
  return `${head}${named.join('')}${error === undefined ? '' : stackOf(error)}\n`;
}
