import type { LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import { type Token, tokenLines } from './tokens.ts';

/** Longer texts stay plain: highlighting them would stop the page. */
const MAX_LENGTH = 200_000;

type Load = () => Promise<{ readonly default: LanguageFn }>;

const LANGUAGES: Readonly<Record<string, Load>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
};

/** Highlights lines of a file; null where its language is not known, or the text is too long. */
export async function highlighted(
  language: string,
  lines: readonly string[],
): Promise<readonly (readonly Token[])[] | null> {
  const load = LANGUAGES[language];
  const text = lines.join('\n');
  if (load === undefined || text.length > MAX_LENGTH) return null;
  if (hljs.getLanguage(language) === undefined) hljs.registerLanguage(language, (await load()).default);
  return tokenLines(hljs.highlight(text, { language, ignoreIllegals: true }).value);
}
