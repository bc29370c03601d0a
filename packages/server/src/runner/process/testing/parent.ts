import { environment } from '#environment';
import { readMachine } from '#runner/process/machine';
import { createProcesses } from '#runner/process/processes';
import { runEnvironment } from '#runner/process/run-environment';
import { createUuidV7 } from '#store/uuid-v7';

// A server that starts one program: its first line describes the program, the rest is the program's output.
const [folder = '', isolation = 'auto', execution_id = '', script = '', hides = '[]', shows = '[]'] =
  process.argv.slice(2);
const machine = readMachine(folder, { ids: createUuidV7(Date.now), clock: Date.now });
const processes = await createProcesses({
  machine,
  isolation: isolation === 'off' ? 'off' : 'auto',
  hides: JSON.parse(hides),
  report: (error) => process.stderr.write(`${String(error)}\n`),
});
const env = runEnvironment(environment(), []);
const run = await processes.spawn({
  argv: ['/bin/sh', '-c', script],
  folder,
  env,
  execution_id,
  shows: JSON.parse(shows),
});

const facts = {
  isolation: processes.isolation,
  hides: processes.hides,
  pid: run.pid,
  pid_started: run.started,
  boot_id: machine.boot_id,
};
process.stdout.write(`${JSON.stringify(facts)}\n`);
run.stdout.pipe(process.stdout);
run.stderr.pipe(process.stderr);
run.stdin.end();
