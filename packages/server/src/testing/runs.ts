import type { Caller } from '#domain/caller';
import type { World } from './world.ts';

export const aRun = async (world: World, fields: Record<string, unknown> = {}, caller?: Caller): Promise<string> =>
  (await world.ask('create_execution', fields, caller)).id as string;

export const aStep = async (
  world: World,
  execution_id: string,
  fields: Record<string, unknown> = {},
): Promise<string> =>
  (await world.ask('create_step', { execution_id, step_name: 'Build', ...fields })).step_id as string;

export const stepsOf = async (world: World, execution_id: string): Promise<readonly Record<string, unknown>[]> =>
  (await world.ask('list_steps', { execution_id })).steps as Record<string, unknown>[];

/** The kinds of the events, in order. */
export const kindsOf = async (world: World): Promise<readonly string[]> =>
  (await world.store.reads.events.page({ after: 0, limit: 1_000 })).map(({ kind }) => kind);
