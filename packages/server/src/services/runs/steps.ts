import { say } from '#advice';
import type { RunId, StepId } from '#domain/ids';
import { plainLine } from '#domain/plain-text';
import { isOver, MAX_STEPS, type Run, type Step, type StepStatus } from '#domain/run';
import { visible } from '#domain/visible-text';
import { ErrandError } from '#errors';
import type { PageOf, PageRequest } from '#services/pages';
import type { Ports } from '#services/ports';
import type { ReadWork, WriteWork } from '#services/work';
import { changeRun } from './change-run.ts';
import { numberedPage } from './numbered-page.ts';
import { newsOf, readable, reported, signOfLife } from './reported-run.ts';
import { stepEvent } from './run-events.ts';

interface NewStep {
  readonly step_name: string;
  readonly message?: string | undefined;
  readonly status?: StepStatus | undefined;
}

interface StepChange {
  readonly status?: StepStatus | undefined;
  readonly message?: string | undefined;
}

interface StepKey {
  readonly execution_id: RunId;
  readonly step_id: StepId;
}

const messageOf = (message: string): string | null => visible(message).trim() || null;

const isFull = ({ id }: Run): ErrandError =>
  new ErrandError('conflict', `Execution ${id} has ${MAX_STEPS} steps, and takes no more.`, {
    hint: ['Update the last one.', say`Report what is small with ${{ tool: 'add_feed_entry' }}.`],
  });

function mustRun({ id, status }: Run): void {
  if (!isOver(status)) return;
  throw new ErrandError('conflict', `Execution ${id} has ended (${status}): its steps can no longer change.`, {
    hint: 'Report to the execution of your own run: its id is in NOVA_EXECUTION_ID.',
  });
}

/** The steps that are reported within a run. */
export function createSteps({ ids, cursors }: Ports) {
  /** Writes a sign of life of the run, unless one was written within the last second. */
  async function keepAlive(work: WriteWork, run: Run): Promise<Run> {
    const alive = signOfLife(work, run);
    const news = newsOf(run, alive);
    if (news === null) return run;
    if (news === 'changed') await changeRun(work, run, alive);
    else await work.tx.runs.update(alive);
    return alive;
  }

  return {
    keepAlive,

    createStep: async (
      work: WriteWork,
      execution_id: RunId,
      { step_name, message, status = 'running' }: NewStep,
    ): Promise<Step> => {
      const { tx, caller, client_facts } = work;
      const found = await reported(work, execution_id);
      mustRun(found);
      if (found.step_count >= MAX_STEPS) throw isFull(found);
      const run = await keepAlive(work, found);

      const step: Step = {
        id: ids(),
        execution_id,
        seq: run.step_count + 1,
        name: plainLine('step_name', step_name),
        status,
        message: message === undefined ? null : messageOf(message),
        source: client_facts.source ?? 'agent',
        started_at: tx.now,
        updated_at: tx.now,
        ended_at: status === 'running' ? null : tx.now,
      };
      await tx.runs.insertStep(step);
      tx.emit(stepEvent('created', run, step, caller));
      work.changed(null, step);
      return step;
    },

    updateStep: async (work: WriteWork, { execution_id, step_id }: StepKey, change: StepChange): Promise<Step> => {
      const { tx, caller } = work;
      const found = await reported(work, execution_id);
      const before = await tx.runs.step(found, step_id);
      if (before === null) {
        throw new ErrandError('not_found', `No step ${step_id} in execution ${execution_id}.`, {
          hint: say`${{ tool: 'create_step' }} creates one and gives its id.`,
        });
      }
      mustRun(found);
      const run = await keepAlive(work, found);

      const status = change.status ?? before.status;
      const step: Step = {
        ...before,
        status,
        message: change.message === undefined ? before.message : messageOf(change.message),
        updated_at: tx.now,
        ended_at: status === 'running' ? null : (before.ended_at ?? tx.now),
      };
      // The step is unchanged: the report only shows that the run lives.
      if (step.status === before.status && step.message === before.message) return before;
      await tx.runs.updateStep(step);
      tx.emit(stepEvent('updated', run, step, caller));
      work.changed(before, step);
      return step;
    },

    steps: async (work: ReadWork, id: RunId, page: PageRequest): Promise<PageOf<Step>> => {
      const run = await readable(work, id);
      return numberedPage(cursors, page, {
        name: `steps ${work.caller.principal_id} ${id}`,
        read: (part) => work.tx.runs.steps(run, part),
      });
    },
  };
}
