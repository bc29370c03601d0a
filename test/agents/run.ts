import process from 'node:process';
import { startVitest } from 'vitest/node';
import { AGENTS } from './agents.ts';
import { installAgents } from './install.ts';

process.stderr.write('Installing agents that are not there yet…\n');
await installAgents(AGENTS);

// One at a time: an agent that waits for a core takes longer than it may.
const options = { run: true, config: false as const, include: ['test/agents/**/*.proof.ts'], fileParallelism: false };
// Packages of this repository are tested as they are written, not as they are built.
const resolve = { conditions: ['errand-source', 'node', 'development|production'] };
const source = { resolve, ssr: { resolve } };
const vitest = await startVitest(process.argv.slice(2), { ...options, reporters: ['verbose'] }, source);
await vitest.close();
