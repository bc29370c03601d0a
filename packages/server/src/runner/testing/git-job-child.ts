import { readFileSync } from 'node:fs';
import { argv, kill, pid, stdout } from 'node:process';
import { type WorkerOrder, workOnGitJobs } from './git-job-worker.ts';

/** A worker in a process of its own, which kills itself at a step; 0 for none. */
export interface ChildOrder extends WorkerOrder {
  readonly at: number;
}

const { at, ...order }: ChildOrder = JSON.parse(readFileSync(argv[2] ?? '', 'utf8'));
const marks: string[] = [];
await workOnGitJobs(order, (name) => {
  marks.push(name);
  if (marks.length === at) kill(pid, 'SIGKILL');
});
stdout.write(JSON.stringify(marks));
