import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EarlyAnswers } from '@errand/mcp/early';

/** The name of each answer's file, by profile and key. */
export type EarlyIndex = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const INDEX = 'index.json';
const MAX_TOKENS = 50;

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** The text of a file that holds JSON; null for a missing or a damaged one. */
function jsonOf(file: string): string | null {
  const text = textOf(file);
  if (text === null) return null;
  try {
    JSON.parse(text);
    return text;
  } catch {
    return null;
  }
}

interface BuiltAnswers extends EarlyAnswers {
  /** Changes when the built answers change. */
  readonly edition: () => string;
}

/** The answers that were built with the program, for the owner of the machine; null when a profile has none. */
export function builtAnswers(folder: string, profile: string): BuiltAnswers | null {
  const index = textOf(join(folder, INDEX));
  if (index === null) return null;
  // Safe: the build writes the file, beside this program.
  const files = new Map(Object.entries((JSON.parse(index) as EarlyIndex)[profile] ?? {}));
  if (files.size === 0) return null;
  return {
    edition: () => hash('sha256', index),
    read: (key) => {
      const file = files.get(key);
      return file === undefined ? null : textOf(join(folder, file));
    },
    keep: () => undefined,
  };
}

/** Removes the answers of tokens that were not used lately. */
function removeOldest(folder: string): void {
  const kept = readdirSync(folder).map((name) => ({ name, used: statSync(join(folder, name)).mtimeMs }));
  for (const { name } of kept.toSorted((a, b) => b.used - a.used).slice(MAX_TOKENS)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * The answers that a token got the last time. They hold names and descriptions of tools, which are public;
 * each call is still checked against the token.
 */
export function keptAnswers(folder: string, subject: readonly string[]): EarlyAnswers {
  const own = join(folder, hash('sha256', JSON.stringify(subject)));
  const fileOf = (key: string): string => join(own, `${hash('sha256', key).slice(0, 16)}.json`);

  return {
    // A file cut by a full disk is no answer.
    read: (key) => jsonOf(fileOf(key)),
    keep: (key, result) => {
      const file = fileOf(key);
      try {
        if (result === null) return rmSync(file, { force: true });
        mkdirSync(own, { recursive: true, mode: 0o700 });
        writeFileSync(`${file}.${process.pid}`, result, { mode: 0o600 });
        renameSync(`${file}.${process.pid}`, file);
        removeOldest(folder);
      } catch {
        // Without the file only the next start is slow: not a reason to fail.
      }
    },
  };
}
