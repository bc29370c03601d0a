import type { JsonObject } from '../../../packages/tasks/src/json.ts';
import type { TaskTool } from '../../../packages/tasks/src/tasks.ts';
import { sequentialWorkflow } from '../../../packages/tasks/src/workflow/sequential-workflow.ts';
import { stepOutput, variable } from '../../../packages/tasks/src/workflow/source.ts';

export const STEPS = ['fetch', 'build', 'approve', 'deploy', 'announce'] as const;
export type StepName = (typeof STEPS)[number];

/** The effect of a step, outside of the store. */
export type Effect = (step: StepName) => Promise<void>;

const QUESTION = { method: 'elicitation/create', params: { message: 'Deploy?' } } as const;

/** Returns the variable that holds the output of a step. Its presence means that the step is done. */
export const markOf = (step: StepName): string => `step:${step}`;

/** Makes a tool of five steps. Each needs the output of the previous one; the third asks the client. */
export const deployTool = (effect: Effect): TaskTool =>
  sequentialWorkflow('deploy')
    .step('fetch', {
      input: { url: variable<string>('url') },
      run: async ({ input }) => {
        await effect('fetch');
        return { file: `fetched ${input.url}` };
      },
    })
    .step('build', {
      input: { file: stepOutput('fetch', 'file') },
      run: async ({ input }) => {
        await effect('build');
        return `built of ${input.file}`;
      },
    })
    .step('approve', {
      run: async ({ requireInput }) => {
        const answer = await requireInput(QUESTION);
        await effect('approve');
        return answer;
      },
    })
    .step('deploy', {
      input: { build: stepOutput('build'), by: stepOutput('approve', 'by') },
      run: async ({ input }) => {
        await effect('deploy');
        return `${input.build}, allowed by ${input.by}`;
      },
    })
    .step('announce', {
      input: { deployed: stepOutput('deploy') },
      run: async ({ input }) => {
        await effect('announce');
        return { announced: input.deployed };
      },
    })
    .withTaskSupport();

export const ARGUMENTS = { url: 'git://x' };
export const ANSWERS: Readonly<Record<string, JsonObject>> = { approve: { by: 'Ada' } };
export const OUTPUT = { announced: 'built of fetched git://x, allowed by Ada' };
