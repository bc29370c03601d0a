import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalog } from '#tools/catalog';
import { kindNamedBy, RunId, WorkItemId } from './ids.ts';

describe('the kind of an id', () => {
  it('is known for every field that holds one, also if it is described or optional', () => {
    expect(kindNamedBy(WorkItemId.describe('A task.'))).toBe('work_item');
    expect(kindNamedBy(RunId.optional().describe('A run.'))).toBe('execution');
    expect(kindNamedBy(z.string())).toBeNull();
  });

  it('is the same for all fields of one name, in every tool', () => {
    const kinds = new Map<string, Set<string>>();
    for (const { input } of catalog) {
      for (const [field, schema] of Object.entries(input.shape)) {
        const kind = kindNamedBy(schema);
        if (kind !== null) kinds.set(field, (kinds.get(field) ?? new Set()).add(kind));
      }
    }

    expect([...kinds].filter(([, named]) => named.size > 1)).toEqual([]);
    expect([...(kinds.get('work_session_id') ?? [])]).toEqual(['execution']);
    expect([...(kinds.get('issue_id') ?? []), ...(kinds.get('task_id') ?? [])]).toEqual(['work_item', 'work_item']);
  });
});
