import process from 'node:process';
import { openErrand } from '../../../packages/server/src/compose.ts';
import { createLog } from '../../../packages/server/src/observability/log.ts';

// Errand in its own process, without a transport: adds tasks and prints the codes of those that failed.
const [path = '', name = '', count = '0'] = process.argv.slice(2);
const AT_ONCE = 8;

const log = createLog({ level: 'silent', fd: 2 });
const errand = await openErrand({ database: { kind: 'sqlite', path }, plane: null, allow_anonymous: false }, log);
const { gateway } = errand;
const caller = await gateway.local();
const tool = gateway.find('add_task', 'todo');
if (tool === undefined) throw new Error('There is no add_task.');

const failed: string[] = [];
let written = 0;
const writer = async (): Promise<void> => {
  while (written < Number(count)) {
    const title = `${name} ${++written}`;
    const outcome = await gateway.dispatch({ caller, tool, input: { user_id: 'me', title }, transport: 'cli' });
    if (!outcome.ok) failed.push(outcome.error.code);
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, writer));
await errand.close();
process.stdout.write(JSON.stringify(failed));
