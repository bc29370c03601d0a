import { describe, expect, it } from 'vitest';
import type { StepLook } from '../text/words.ts';
import { MAX_SEGMENTS, progressOf, segmentsOf } from './step-segments.ts';

function many(look: StepLook, length: number): StepLook[] {
  return Array.from({ length }, () => look);
}

describe('segmentsOf', () => {
  it('keeps one segment a step, in the order of the steps', () => {
    const steps: StepLook[] = ['completed', 'skipped', 'failed', 'running', 'planned'];
    expect(segmentsOf(steps).map(({ look }) => look)).toEqual(steps);
    expect(segmentsOf(many('completed', MAX_SEGMENTS))).toHaveLength(MAX_SEGMENTS);
  });

  it('draws counts of steps by state: ended ones first, planned ones last', () => {
    expect(segmentsOf({ planned: 1, running: 1, completed: 2 }).map(({ look }) => look)).toEqual([
      'completed',
      'completed',
      'running',
      'planned',
    ]);
  });

  it('draws more than 24 steps as one bar in proportion, with a current part of its own width', () => {
    const steps = [...many('completed', 9_000), ...many('running', 1), ...many('planned', 999), 'failed' as const];
    expect(segmentsOf(steps)).toEqual([
      { look: 'completed', weight: 9_000 },
      { look: 'failed', weight: 1 },
      { look: 'running', weight: undefined },
      { look: 'planned', weight: 999 },
    ]);
  });

  it('draws nothing for no steps', () => {
    expect(segmentsOf([])).toEqual([]);
    expect(segmentsOf({})).toEqual([]);
  });
});

describe('progressOf', () => {
  it('counts steps that ended, whatever their end', () => {
    expect(progressOf(['completed', 'failed', 'skipped', 'running', 'waiting', 'quiet', 'planned'])).toEqual({
      ended: 3,
      all: 7,
    });
    expect(progressOf({ completed: 3, planned: -2 })).toEqual({ ended: 3, all: 3 });
  });
});
