import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUuidV7 } from '#store/uuid-v7';
import { readMachine } from './machine.ts';
import { startTimeOf } from './process-table.ts';

const PORTS = { ids: createUuidV7(Date.now), clock: Date.now };

let data = '';
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'errand-machine-'));
});
afterEach(() => rmSync(data, { recursive: true }));

describe('the machine', () => {
  it('keeps its id in the data folder, for its owner only', () => {
    const first = readMachine(data, PORTS);
    const second = readMachine(data, PORTS);

    expect(second).toEqual(first);
    expect(first.pid_started).toBe(startTimeOf(process.pid));
    expect(readdirSync(data)).toEqual(['machine-id']);
    expect(statSync(join(data, 'machine-id')).mode & 0o777).toBe(0o600);
  });

  it('has another id with another data folder, and the same boot id', () => {
    const other = mkdtempSync(join(tmpdir(), 'errand-machine-'));

    const [one, two] = [readMachine(data, PORTS), readMachine(other, PORTS)];
    rmSync(other, { recursive: true });

    expect(one.host_id).not.toBe(two.host_id);
    expect(one.boot_id).toBe(two.boot_id);
  });

  it('refuses an id that is damaged, and says what to do', () => {
    writeFileSync(join(data, 'machine-id'), '');

    expect(() => readMachine(data, PORTS)).toThrow('machine-id does not hold the id of a machine. Remove it');
  });
});
