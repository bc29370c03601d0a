import type { AnswerOrder } from './answer.ts';
import type { InputOf } from './board-cli.ts';
import { ATTEMPT, type BoardCommand, command, IN_PROJECT, PROJECT, repeated, several, WAIT } from './command-spec.ts';
import type { DiffOrder } from './diff.ts';
import type { FollowUpOrder } from './follow-up.ts';
import type { InProject } from './project.ts';
import type { RunOrder } from './run.ts';
import type { TellOrder } from './tell.ts';

type OfAttempt = Pick<InputOf<'get_attempt'>, 'attempt_id'>;

/** The everyday commands of attempts: start, watch and steer agents. */
export const ATTEMPT_COMMANDS: readonly BoardCommand[] = [
  command<RunOrder>({
    words: 'run',
    does: ['start_task_attempt'],
    help: 'Start an agent on a task, on a new git branch.',
    more_help:
      'The running server (errand serve) starts the agent. Without --wait the command ends at once and prints how to watch the agent.',
    takes: [
      ['[task-id]', 'the task, by key or id; or use --title to add a new task'],
      ['--title <text>', 'add a task with this title first'],
      ['--description <text>', 'with --title: what is to be done and why'],
      PROJECT,
      [
        '--executor <name>',
        'the agent to start, by its name in errand executors (default: the only one that is ready)',
      ],
      ['--executors <names>', 'several agents, one attempt each: claude,codex:fast', several],
      ['--variant <name>', 'another way to run the agent, as errand executors lists it'],
      [
        '--repo <repo>',
        'a repository, by name or id, and :BRANCH to start from another branch; may be repeated (default: all of the project)',
        repeated,
      ],
      '--prompt <text>',
      WAIT,
    ],
    spells: IN_PROJECT,
    work: async (cli, order) => (await import('./run.ts')).runTask(cli, order),
  }),
  command<OfAttempt>({
    words: 'watch',
    does: ['tail_attempt', 'get_attempt'],
    help: 'Show what the agent of an attempt does, until its run has ended.',
    more_help:
      'The exit code is 0 if the run is completed. On a terminal you can answer questions of the agent. Ctrl-C stops watching; the agent goes on.',
    takes: [ATTEMPT],
    work: async (cli, { attempt_id }) => (await import('./watch.ts')).watch(cli, attempt_id),
  }),
  command<AnswerOrder>({
    words: 'answer',
    does: ['respond_approval'],
    help: 'Answer a question of an agent: give one of its options, --approve, --deny or --text.',
    takes: [
      [
        '<approval-id>',
        'the question, as errand watch shows it, or the key of its attempt or task when that has no other',
      ],
      ['[option]', 'one of its options, as errand watch shows them'],
      ['--approve', 'allow it this one time'],
      ['--deny', 'do not allow it'],
      ['--text <text>', 'the answer in words; not for a request for permission'],
    ],
    spells: { answer: '--text', decision: '--approve, --deny', option: 'one of its options' },
    work: async (cli, order) => (await import('./answer.ts')).answerApproval(cli, order),
  }),
  command<FollowUpOrder>({
    words: 'follow-up',
    does: ['follow_up'],
    help: 'Tell the agent of an attempt what to do next.',
    takes: [
      ATTEMPT,
      ['[text]', 'what to tell it'],
      ['--queue', 'while a run goes on: wait until it has ended, instead of failing'],
      [
        '--cancel [queued-id]',
        'cancel all follow-ups that wait, or only the one with the id (or its start) that --queue printed',
      ],
      WAIT,
    ],
    spells: { prompt: 'TEXT', queued_id: '--cancel', 'action queue': '--queue', 'action cancel': '--cancel' },
    work: async (cli, order) => (await import('./follow-up.ts')).followUp(cli, order),
  }),
  command<TellOrder>({
    words: 'tell',
    does: ['send_message'],
    help: 'Tell the agent of an attempt something while it works.',
    more_help:
      'The agent reads it in the answer to its next tool call, or as its next follow-up; an agent that has ended goes on with it.',
    takes: [
      ATTEMPT,
      ['<text>', 'what to tell it'],
      ['--interrupt', 'stop what it does now; it goes on with these words in the same conversation'],
    ],
    work: async (cli, order) => (await import('./tell.ts')).tellAgent(cli, order),
  }),
  command<OfAttempt>({
    words: 'stop',
    does: ['stop_attempt'],
    help: 'Stop the agent of an attempt and cancel its follow-ups. Its changes stay on the branch.',
    takes: [ATTEMPT],
    work: (cli, { attempt_id }) =>
      cli.call('stop_attempt', { attempt_id }, ({ stopping, cancelled }) => [
        `${stopping ? 'The agent is being stopped.' : 'No agent was at work.'}${cancelled === 0 ? '' : ` Follow-ups taken back: ${cancelled}.`}`,
      ]),
  }),
  command<DiffOrder>({
    words: 'diff',
    does: ['get_attempt'],
    help: 'Print the changes of an attempt as a patch.',
    more_help: 'Nothing else is printed, so git apply can read it.',
    takes: [
      ATTEMPT,
      '[path]',
      ['--files', 'only the names of the files, with the number of added and removed lines'],
      ['--repo <repo>', 'only this repository, by name or id'],
    ],
    work: async (cli, order) => (await import('./diff.ts')).printDiff(cli, order),
  }),
  command<object>({
    words: 'executors',
    does: ['list_executors'],
    help: 'List the agents that Errand can start, and why the others are not ready.',
    takes: [],
    work: async (cli) => cli.call('list_executors', {}, (await import('./executors.ts')).executorLines),
  }),
  command<InProject>({
    words: 'status',
    does: ['list_inbox', 'list_executions', 'list_executors'],
    help: 'Show what waits for you, what runs, and where.',
    takes: [['--project <name>', 'only this project, by key, name or id (default: all)']],
    spells: IN_PROJECT,
    work: async (cli, order) => (await import('./status.ts')).showStatus(cli, order),
  }),
];
