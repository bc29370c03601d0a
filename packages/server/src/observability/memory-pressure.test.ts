import { expect, it } from 'vitest';
import { watchMemory } from './memory-pressure.ts';

it('has V8 collect early above the target, until the process is well below it again', () => {
  const flags: string[] = [];
  let bytes = 100;
  const { look, stop } = watchMemory({ target_bytes: 300, taken: () => bytes, setFlag: (flag) => flags.push(flag) });

  const flagsAt = [300, 301, 500, 250, 211, 209, 150, 301].map((now) => {
    bytes = now;
    look();
    return flags.length;
  });
  stop();

  expect(flagsAt).toEqual([0, 1, 1, 1, 1, 2, 2, 3]);
  expect(flags).toEqual(['--optimize-for-size', '--no-optimize-for-size', '--optimize-for-size']);
});
