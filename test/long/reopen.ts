import { join } from 'node:path';
import { openErrand } from '../../packages/server/src/compose.ts';
import { createLog } from '../../packages/server/src/observability/log.ts';
import { judge } from '../e2e/durability/oracle.ts';
import type { Ledger } from '../e2e/durability/writers.ts';
import { enter } from './run-writer.ts';

export interface Reopening {
  readonly data: string;
  readonly ledger: Ledger;
  /** True to send every key again: answered keys must get the same answer, others their effect. */
  readonly resend: boolean;
}

async function open({ data, ledger, resend }: Reopening): Promise<readonly string[]> {
  const errand = await openErrand(
    { database: { kind: 'sqlite', path: join(data, 'errand.db') }, plane: null, allow_anonymous: false },
    createLog({ level: 'silent', fd: 2 }),
  );
  const { gateway } = errand;
  const caller = await gateway.local();
  const call = async (name: string, input: object) => {
    const tool = gateway.find(name, 'all');
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    const outcome = await gateway.dispatch({ caller, tool, input, transport: 'cli' });
    if (!outcome.ok) throw new Error(`${name} failed with ${outcome.error.code}.`);
    return JSON.parse(outcome.json) as Readonly<Record<string, unknown>>;
  };

  try {
    for (const key of resend ? [...ledger.acked.keys(), ...ledger.unacked] : []) {
      const { task_id } = await call('todo_add_task', { user_id: 'me', title: key, idempotency_key: key });
      enter(ledger, { key, task_id: String(task_id) });
    }
    const { intact, problem } = await call('admin_verify_audit', {});
    return intact === true ? [] : [`audit: ${problem}`];
  } finally {
    await errand.close();
  }
}

/** Opens data after a crash, as the program would. Returns the faults, given the earlier answers. */
export async function reopen(reopening: Reopening): Promise<readonly string[]> {
  try {
    const faults = await open(reopening);
    return [...faults, ...(await judge(reopening.data, reopening.ledger))];
  } catch (error) {
    return [`cannot be opened: ${error}`];
  }
}
