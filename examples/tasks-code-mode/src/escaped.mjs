// What a program could do if it got out of its realm, and only the wall around the process were left.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { argv, env, stdout } from 'node:process';
import { Worker } from 'node:worker_threads';

const attempts = {
  read: () => readFileSync('/etc/passwd', 'utf8'),
  write: () => writeFileSync('/tmp/escaped', 'x'),
  run: () => execFileSync('id', { encoding: 'utf8' }),
  thread: () => new Worker(argv[1] ?? ''),
  secrets: () => Object.keys(env).join() || Promise.reject(new Error('nothing there')),
  connect: () =>
    new Promise((resolve, reject) => {
      connect(9, '127.0.0.1').once('connect', resolve).once('error', reject);
    }),
};

const outcomes = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    outcomes[name] = 'done';
  } catch (error) {
    outcomes[name] = error.code ?? error.message;
  }
}
stdout.write(JSON.stringify(outcomes));
