import { join } from 'node:path';
import type { Random } from '../durability/random.ts';
import { markLine } from './agent-log.ts';

export const EXECUTORS = ['scripted', 'asking'] as const;
export type ExecutorName = (typeof EXECUTORS)[number];

/** Returns the file in which a script's agent saves its environment, with the token of its run. */
export const environmentFile = (folder: string, key: string): string => join(folder, 'environments', `${key}.json`);

/** Returns the file that a run leaves on its branch. */
export const madeFile = (key: string): string => `${key}.txt`;

/** Makes the script of an agent for this key. It changes a file first, so that an early end leaves a change. */
export function scriptOf(random: Random, executor: ExecutorName, folder: string, key: string): string {
  const maybe = (chance: number, line: string): readonly string[] => (random.next() < chance ? [line] : []);
  const inBetween =
    executor === 'asking'
      ? ['plan Look|Do', ...maybe(0.6, `ask May I do ${key}?`)]
      : [...maybe(0.5, `step Work on ${key}`), 'print 3'];
  return [
    `dump-env ${environmentFile(folder, key)}`,
    `write ${madeFile(key)} ${key}`,
    markLine(key),
    ...maybe(0.6, 'spawn-orphan'),
    ...inBetween,
    ...maybe(0.7, `sleep ${random.between(0, 700)}`),
    ...maybe(0.1, executor === 'asking' ? 'stop refusal' : 'exit 3'),
  ].join('\n');
}
