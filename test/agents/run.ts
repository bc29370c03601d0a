import process from 'node:process';
import { startVitest } from 'vitest/node';
import { AGENTS } from './agents.ts';
import { installAgents } from './install.ts';

process.stderr.write('Installing agents that are not there yet…\n');
await installAgents(AGENTS);

// One file at a time: an agent that waits for a CPU core would exceed its time limit.
const options = { run: true, config: false as const, include: ['test/agents/**/*.proof.ts'], fileParallelism: false };
// Test the sources of this repository's packages, not their builds.
const resolve = { conditions: ['errand-source', 'node', 'development|production'] };
const source = { resolve, ssr: { resolve } };
const vitest = await startVitest(process.argv.slice(2), { ...options, reporters: ['verbose'] }, source);
await vitest.close();
