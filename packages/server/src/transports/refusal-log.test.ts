import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRefusalLog } from './refusal-log.ts';

describe('the log of refusals', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const refusal = (address: string, correlation_id: string) => ({ address, correlation_id, status: 401 });

  it('has a line for each of the first few, and one with the count of the rest of an address', () => {
    const lines: object[] = [];
    const log = createRefusalLog((line) => lines.push(line));

    for (let i = 0; i < 100; i += 1) log.add(refusal('10.0.0.1', `a${i}`));
    log.add(refusal('10.0.0.2', 'b'));
    vi.advanceTimersByTime(10_000);
    log.add(refusal('10.0.0.1', 'later'));

    expect(lines.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, i) => refusal('10.0.0.1', `a${i}`)));
    expect(lines.slice(20)).toEqual([
      refusal('10.0.0.2', 'b'),
      { address: '10.0.0.1', suppressed: 80 },
      refusal('10.0.0.1', 'later'),
    ]);
    log.close();
  });

  it('is bounded also when every refusal comes from another address', () => {
    const lines: object[] = [];
    const log = createRefusalLog((line) => lines.push(line));

    for (let i = 0; i < 5_000; i += 1) log.add(refusal(`10.0.${i >> 8}.${i & 255}`, `a${i}`));
    log.close();

    expect(lines.filter((line) => 'status' in line)).toHaveLength(200);
    expect(lines.length).toBeLessThan(1_300);
    const suppressed = lines.reduce<number>(
      (sum, line) => sum + ('suppressed' in line ? Number(line.suppressed) : 0),
      0,
    );
    expect(suppressed).toBe(4_800);
  });

  it('cuts long paths', () => {
    const lines: { readonly address: string; readonly path?: string | undefined }[] = [];
    const log = createRefusalLog((line) => lines.push(line));

    log.add({ ...refusal('10.0.0.1', 'a'), path: `/${'x'.repeat(9_000)}` });
    log.close();

    expect(lines[0]?.path).toHaveLength(200);
  });
});
