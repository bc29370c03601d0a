import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Name, Phrase } from '#advice';

const SOURCE = join(import.meta.dirname, '..');

/** A text with names in it, as it stands in a file of the product. */
export interface WrittenPhrase extends Phrase {
  readonly file: string;
}

/** The files of the product itself, without tests. */
export const sourceFiles = (): readonly string[] =>
  globSync('**/*.ts', { cwd: SOURCE })
    .filter((file) => !/\.test\.ts$|(^|\/)(testing|generated)\/|^tool-names\.ts$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();

/** A file without comments, in which no name is more than a remark. */
export const codeOf = (file: string): string =>
  readFileSync(join(SOURCE, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');

/** The place behind the template that begins here, and the expressions within it. */
function templateAt(code: string, start: number): { readonly end: number; readonly parts: readonly string[] } {
  const parts: string[] = [];
  let text = '';
  let at = start;
  while (code[at] !== '`') {
    if (code[at] === undefined) throw new Error('A template does not end.');
    if (code.startsWith('${', at)) {
      const from = at + 2;
      for (let depth = 1; depth > 0; ) {
        at += 1;
        if (code[at + 1] === '`') at = templateAt(code, at + 2).end - 1;
        else if (code[at + 1] === '{') depth += 1;
        else if (code[at + 1] === '}') depth -= 1;
      }
      parts.push(text, code.slice(from, at + 1));
      text = '';
      at += 2;
    } else {
      text += code[at];
      at += 1;
    }
  }
  return { end: at + 1, parts: [...parts, text] };
}

const NAME = /^\{ (call|tool|field|about|command|setting): (.*?)(?:, value: '(\w+)')? \}$/s;

/** The names that an expression can be: one, or one of two. */
function namesIn(expression: string): readonly (string | Name)[] {
  const [, kind, value = '', part] = NAME.exec(expression.trim()) ?? [];
  if (kind === undefined) return ['VALUE'];
  const names = [...value.replace(/^[^?]*\?(?=[^?]*:)/, '').matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  // The names of a file are those of the types; whether they are names is what tests ask.
  return names.map((name) => ({ [kind]: name, ...(part !== undefined && { value: part }) }) as unknown as Name);
}

/** Every text with names in it that is written in a file. */
export function phrasesIn(file: string): readonly WrittenPhrase[] {
  const code = codeOf(file);
  return [...code.matchAll(/\bsay`/g)].flatMap(({ index }) => {
    const { parts } = templateAt(code, index + 'say`'.length);
    const choices = parts.map((part, i) => (i % 2 === 0 ? [part] : namesIn(part)));
    const most = Math.max(...choices.map(({ length }) => length));
    return Array.from({ length: most }, (_, i) => ({
      file,
      parts: choices.map((some) => some[Math.min(i, some.length - 1)] ?? 'VALUE').filter((part) => part !== ''),
    }));
  });
}

/** The texts of a file that are no templates with names. */
export function stringsIn(file: string): readonly string[] {
  let code = codeOf(file);
  for (let at = code.indexOf('say`'); at !== -1; at = code.indexOf('say`')) {
    code = code.slice(0, at) + code.slice(templateAt(code, at + 'say`'.length).end);
  }
  return [...code.matchAll(/'([^'\n]*)'|`([^`]*)`|"([^"\n]*)"/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
}
