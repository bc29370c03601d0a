import { join } from 'node:path';
import type { Random } from '../durability/random.ts';
import { markLine } from './agent-log.ts';

export const EXECUTORS = ['scripted', 'asking'] as const;
export type ExecutorName = (typeof EXECUTORS)[number];

/** Where the agent of a script leaves its environment, with the token of its run. */
export const environmentFile = (folder: string, key: string): string => join(folder, 'environments', `${key}.json`);

/** The file that a run leaves behind on its branch. */
export const madeFile = (key: string): string => `${key}.txt`;

/** What an agent does under this key: a change first, so that whoever ends it early finds one. */
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
