import { describe, expect, it } from 'vitest';
import { createSignInLimits } from './sign-in-limits.ts';

const MINUTES = 60_000;

function aDoor() {
  const time = { now: 0 };
  const limits = createSignInLimits(() => time.now);
  const isOpen = (name: string, address: string): boolean => {
    try {
      limits.mayTry({ name, address });
      return true;
    } catch {
      return false;
    }
  };
  const guess = (times: number, name: string, address: string): void => {
    for (let i = 0; i < times; i++) limits.failed({ name, address });
  };
  return { time, limits, isOpen, guess };
}

describe('wrong passwords', () => {
  it.each([
    ['2001:db8:1:2::7', '2001:db8:1:2:ffff::1', false],
    ['2001:DB8::1', '2001:db8:0:0:5::', false],
    ['2001:db8:1:2::7', '2001:db8:1:3::7', true],
    ['::1', '2001:db8::1', true],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', true],
    ['::ffff:10.0.0.1', '10.0.0.1', false],
  ])('from %s close %s when it is of the same network', (from, other, isStillOpen) => {
    const { isOpen, guess } = aDoor();

    guess(10, 'Anna', from);

    expect(isOpen('Anna', other)).toBe(isStillOpen);
  });

  it('close a name for the address that guesses it, in any case, and for no other', () => {
    const { isOpen, guess } = aDoor();

    guess(10, 'Anna', '10.0.0.1');

    expect(isOpen('anna', '10.0.0.1')).toBe(false);
    expect(isOpen('Anna', '10.0.0.2')).toBe(true);
    expect(isOpen('Bob', '10.0.0.1')).toBe(true);
  });

  it('close an address that guesses many names', () => {
    const { isOpen, guess } = aDoor();

    for (let i = 0; i < 60; i++) guess(1, `user ${i}`, '10.0.0.1');

    expect(isOpen('Anna', '10.0.0.1')).toBe(false);
    expect(isOpen('Anna', '10.0.0.2')).toBe(true);
  });

  it('of many addresses leave each further one a single try, so that the person still gets in', () => {
    const { isOpen, guess } = aDoor();

    for (let i = 0; i < 100; i++) guess(1, 'Anna', `10.0.1.${i}`);

    expect(isOpen('Anna', '10.0.1.5')).toBe(false);
    expect(isOpen('Anna', '10.9.9.9')).toBe(true);
    guess(1, 'Anna', '10.9.9.9');
    expect(isOpen('Anna', '10.9.9.9')).toBe(false);
  });

  it('are counted also after more of them than are kept', () => {
    const { isOpen, guess } = aDoor();
    for (let i = 0; i < 10_000; i++) guess(1, `user ${i}`, `2001:db8:0:${(i % 250).toString(16)}::1`);

    guess(10, 'Anna', '10.0.0.1');

    expect(isOpen('Anna', '10.0.0.1')).toBe(false);
  });

  it('say how long to wait, and are forgotten after a quarter of an hour', () => {
    const { time, limits, isOpen, guess } = aDoor();
    limits.failed({ name: 'Anna', address: 'a' });
    time.now = 5 * MINUTES;
    guess(10, 'Anna', 'a');

    expect(() => limits.mayTry({ name: 'Anna', address: 'a' })).toThrow(
      expect.objectContaining({ code: 'rate_limited', retry_after_ms: 10 * MINUTES }),
    );
    time.now = 15 * MINUTES;
    expect(isOpen('Anna', 'a')).toBe(true);
  });

  it('are forgiven once the right password comes', () => {
    const { limits, isOpen, guess } = aDoor();
    guess(9, 'Anna', 'a');

    limits.succeeded({ name: 'Anna', address: 'a' });
    guess(9, 'Anna', 'a');

    expect(isOpen('Anna', 'a')).toBe(true);
  });
});
