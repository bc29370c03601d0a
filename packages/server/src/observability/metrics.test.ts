import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

describe('metrics', () => {
  it('counts calls by tool and outcome, in buckets that include the smaller ones', () => {
    const metrics = createMetrics(1_000_000);
    metrics.call('todo_add_task', 'ok', 3);
    metrics.call('todo_add_task', 'ok', 60_000);
    metrics.call('todo_add_task', 'not_found', 1);

    const lines = metrics.text().split('\n');

    const ok = 'tool="todo_add_task",outcome="ok"';
    expect(lines).toContain(`errand_call_duration_seconds_bucket{${ok},le="0.0025"} 0`);
    expect(lines).toContain(`errand_call_duration_seconds_bucket{${ok},le="0.005"} 1`);
    expect(lines).toContain(`errand_call_duration_seconds_bucket{${ok},le="10"} 1`);
    expect(lines).toContain(`errand_call_duration_seconds_bucket{${ok},le="+Inf"} 2`);
    expect(lines).toContain(`errand_call_duration_seconds_sum{${ok}} 60.003`);
    expect(lines).toContain('errand_call_duration_seconds_count{tool="todo_add_task",outcome="not_found"} 1');
  });

  it('have the time at which the process started', () => {
    expect(createMetrics(1_794_721_097_505).text()).toContain('process_start_time_seconds 1794721097.505\n');
  });

  it('is text that ends with a line break, as Prometheus demands', () => {
    expect(createMetrics(0).text().endsWith('\n')).toBe(true);
  });
});
