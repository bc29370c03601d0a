import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createCallHistory } from './call-history.ts';

const call = { tool: 'get_task', transport: 'rest', agent_id: 'robot', outcome: 'ok', latency_ms: 1 };

describe('the history of calls', () => {
  it('keeps the latest hundred of an agent, newest first', () => {
    const history = createCallHistory(() => 7);

    for (let i = 1; i <= 150; i++) history.add({ ...call, latency_ms: i });

    expect(history.ofAgent('robot')).toHaveLength(100);
    expect(history.ofAgent('robot')[0]).toEqual({
      tool: 'get_task',
      transport: 'rest',
      outcome: 'ok',
      latency_ms: 150,
      at: 7,
    });
    expect(history.ofAgent('other')).toEqual([]);
  });

  it('forgets the agent that was quiet for longest beyond a thousand', () => {
    const history = createCallHistory(() => 0);

    for (let i = 0; i < 1_000; i++) history.add({ ...call, agent_id: `agent ${i}` });
    history.add({ ...call, agent_id: 'agent 0' });
    history.add({ ...call, agent_id: 'new' });

    expect(['agent 0', 'agent 1', 'new'].map((id) => history.ofAgent(id).length)).toEqual([2, 0, 1]);
  });

  it('knows when an agent last sent a request, and forgets the quietest beyond a thousand', () => {
    const time = { now: 1 };
    const history = createCallHistory(() => time.now);

    for (let i = 0; i < 1_000; i++) history.saw(`agent ${i}`);
    time.now = 2;
    history.saw('agent 0');
    history.saw('new');

    expect(['agent 0', 'agent 1', 'agent 2', 'new'].map(history.seenAt)).toEqual([2, null, 1, 2]);
  });

  it('tells the median and the slowest of each tool, and how many calls failed why', () => {
    const history = createCallHistory(() => 0);

    for (let i = 1; i <= 100; i++) history.add({ ...call, agent_id: null, latency_ms: i });
    history.add({ ...call, agent_id: null, outcome: 'not_found', latency_ms: 500 });

    expect(history.tools()).toEqual([{ tool: 'get_task', calls: 101, failed: 1, p50_ms: 51, p99_ms: 100 }]);
    expect(history.outcomes()).toEqual([{ code: 'not_found', count: 1, is_fault: false }]);
  });

  it('does not count the time that a call waits as the time of a slow one', () => {
    const history = createCallHistory(() => 0, { waiting: new Set(['ask_person']) });

    history.add({ ...call, latency_ms: 3 });
    history.add({ ...call, tool: 'ask_person', latency_ms: 20_000 });

    expect(history.spans(15, 1)).toMatchObject([{ calls: 2, p99_ms: 3 }]);
  });

  it('counts calls and failures in each part of the last minutes, and forgets them after a week', () => {
    const time = { now: 600_000 * 60_000 };
    const history = createCallHistory(() => time.now);
    const minute = 60_000;

    history.add({ ...call, latency_ms: 900 });
    time.now += 13 * minute;
    history.add({ ...call, latency_ms: 7, outcome: 'not_found' });
    time.now += minute;
    history.add({ ...call, latency_ms: 3 });
    const fifteen = history.spans(15, 3);
    time.now += 10_080 * minute;
    history.add(call);
    const week = history.spans(10_080, 168);

    expect(fifteen.map(({ calls, failed, p99_ms }) => [calls, failed, p99_ms])).toEqual([
      [1, 0, 900],
      [0, 0, 0],
      [2, 1, 7],
    ]);
    expect(week.reduce((sum, { calls }) => sum + calls, 0)).toBe(1);
    expect(week).toHaveLength(168);
  });

  it('tells calls over MCP and failures of the server from others, and the median of a part of the time', () => {
    const time = { now: 600_000 * 60_000 };
    const history = createCallHistory(() => time.now, { isFault: (outcome) => outcome === 'internal' });

    for (const latency_ms of [1, 2, 9]) history.add({ ...call, transport: 'mcp-http', latency_ms });
    time.now += 60_000;
    history.add({ ...call, outcome: 'internal', latency_ms: 6 });
    history.add({ ...call, outcome: 'conflict', latency_ms: 6 });

    expect(history.spans(15, 1)).toMatchObject([{ calls: 5, mcp: 3, failed: 2, faults: 1, p50_ms: 3.6, p99_ms: 9 }]);
  });

  it('keeps no whole of a long name of a client in memory', () => {
    const history = createCallHistory(() => 0);
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    collect();
    const before = process.memoryUsage().heapUsed;

    for (let i = 0; i < 150; i++) {
      const title = `client ${i} ${Buffer.alloc(500_000, 'x').toString()}`;
      for (const version of [`1${title}`, `1${title}y`]) {
        history.add(call, { client: { title, version }, protocol_version: '2025-06-18' });
      }
    }

    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
    expect(history.clients().map(({ calls }) => calls)).toEqual(Array.from({ length: 150 }, () => 2));
  });

  it('counts the calls of each client, and forgets the rarest beyond two hundred', () => {
    const history = createCallHistory(() => 0);
    const by = (title: string) => ({ client: { title, version: '1' }, protocol_version: '2025-06-18' });

    for (const title of ['Codex', 'Codex', 'Codex', 'rare']) history.add(call, by(title));
    for (let i = 0; i < 199; i++) for (const _ of [1, 2]) history.add(call, by(`client ${i}`));
    history.add(call, { client: null, protocol_version: '2026-07-28' });
    history.add(call);

    expect(history.clients()).toHaveLength(200);
    expect(history.clients()).toContainEqual({ name: 'Codex', version: '1', protocol: '2025-06-18', calls: 3 });
    expect(history.clients().map(({ name }) => name)).not.toContain('rare');
  });

  it('takes clients for one whose long names begin alike, and keeps no more than the beginning', () => {
    const history = createCallHistory(() => 0);
    const by = (title: string) => ({ client: { title, version: '1' }, protocol_version: '2026-07-28' });

    history.add(call, by(`${'n'.repeat(100)} one`));
    history.add(call, by(`${'n'.repeat(100)} two`));

    expect(history.clients()).toEqual([{ name: 'n'.repeat(100), version: '1', protocol: '2026-07-28', calls: 2 }]);
  });
});
