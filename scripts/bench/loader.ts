import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { argv, env, stdout } from 'node:process';

// Replaces wrk when it is missing. It is slower, so all figures are lower, but the ratios stay close.
const [connections, seconds, origin = ''] = [Number(argv[2]), Number(argv[3]), argv[4]];
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const headers = Object.fromEntries((env.BENCH_HEADERS ?? '').split('\n').map((line) => line.split(': ', 2)));
const paths = readFileSync(env.BENCH_PATHS ?? '', 'utf8').split('\n');
const [at_once, times_each] = [Number(env.BENCH_AT_ONCE), Number(env.BENCH_TIMES)];
const turn = (count: number): number => Math.floor(count / (at_once * times_each)) * at_once + (count % at_once);
const ones = (env.BENCH_ONES ?? '').split(',');
const times: number[] = [];
let sent = 0;
let failed = 0;

const once = (): Promise<void> =>
  new Promise((resolve) => {
    const started = performance.now();
    const keyed = (env.BENCH_BODY ?? '').replaceAll('$KEY', `${env.BENCH_RUN}-${++sent}`);
    const body = keyed.replaceAll('$ONE', ones[sent % ones.length] ?? '');
    const length = { 'content-length': Buffer.byteLength(body) };
    const outgoing = request(
      `${origin}${paths[turn(sent) % paths.length]}`,
      { method: 'POST', agent, headers: { ...headers, ...length } },
      (incoming) => {
        if ((incoming.statusCode ?? 0) >= 300) failed++;
        incoming.resume();
        incoming.on('end', () => {
          times.push(performance.now() - started);
          resolve();
        });
      },
    );
    outgoing.on('error', () => {
      failed++;
      resolve();
    });
    outgoing.end(body);
  });

const began = performance.now();
const sender = async (): Promise<void> => {
  while (performance.now() - began < seconds * 1000) await once();
};
await Promise.all(Array.from({ length: connections }, sender));
agent.destroy();
times.sort((a, b) => a - b);
const percentile = (share: number): number => times[Math.floor(times.length * share)] ?? 0;
const elapsed = (performance.now() - began) / 1000;
const burst = { requests: times.length, seconds: elapsed, failed, p50_ms: percentile(0.5), p99_ms: percentile(0.99) };
stdout.write(`${JSON.stringify(burst)}\n`);
