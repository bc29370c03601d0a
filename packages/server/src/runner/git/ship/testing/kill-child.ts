import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { ShipBed } from './ship-bed.ts';
import { JOB } from './ship-bed.ts';
import type { ChildOrder } from './ship-child.ts';

const FLAGS = ['--conditions=errand-source', '--no-warnings'];
const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Works in a process that kills itself at a step. */
export async function killChildAt(bed: ShipBed, at: number, work: ChildOrder['work']): Promise<void> {
  const order: ChildOrder = { root: bed.root, job_id: JOB, work, at };
  const file = join(bed.folder, 'order.json');
  writeFileSync(file, JSON.stringify(order));
  const signal = await new Promise((resolve) => {
    execFile(execPath, [...FLAGS, fileOf('./ship-child.ts'), file], (error) => resolve(error?.signal ?? error ?? null));
  });
  if (signal !== 'SIGKILL') throw new Error(`The process was not killed at step ${at}: ${String(signal)}`);
}

/** Runs the tests that should find a planted fault, and returns what they found. */
export async function findPlanted(name: string): Promise<readonly string[]> {
  const args = [...FLAGS, '--import', fileOf('./plant.ts'), fileOf('./planted-child.ts'), name];
  const said = await new Promise<string>((resolve, reject) => {
    execFile(execPath, args, (error, out, complaint) => (error === null ? resolve(out) : reject(new Error(complaint))));
  });
  return JSON.parse(said);
}
