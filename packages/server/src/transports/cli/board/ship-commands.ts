import { ATTEMPT, type BoardCommand, command, TASK, WAIT } from './command-spec.ts';
import type { CompareOrder } from './compare.ts';
import type { CostsOrder } from './costs.ts';
import type { ReviewOrder } from './review.ts';
import type { MergeOrder, PullRequestOrder, RebaseOrder } from './ship.ts';
import type { VerifyOrder } from './verify.ts';

/** The everyday commands that choose among attempts and bring their work into the repository. */
export const SHIP_COMMANDS: readonly BoardCommand[] = [
  command<CompareOrder>({
    words: 'compare',
    does: ['compare_attempts', 'choose_attempt'],
    help: 'Show the attempts at a task side by side, or go on with one of them.',
    takes: [TASK, ['--choose <attempt>', 'go on with this attempt, and archive the others: their agents are stopped']],
    writes: true,
    work: async (cli, order) => (await import('./compare.ts')).compareAttempts(cli, order),
  }),
  command<ReviewOrder>({
    words: 'review',
    does: ['add_review_comment', 'send_review', 'resolve_review_comment', 'get_attempt'],
    help: 'Comment on lines of an attempt and send the comments to its agent. Without a place: list them.',
    takes: [
      ATTEMPT,
      ['[place]', 'the file and the line, as src/a.ts:14'],
      ['[text]', 'the comment'],
      ['--side <side>', 'new or old: the side of the diff that the line is on (default: new)'],
      ['--repo <repo>', 'the repository, by name or id, when the attempt has several'],
      ['--send', 'send all comments that were not sent to the agent, as one follow-up'],
      WAIT,
      ['--resolve <n>', 'mark the comment with this number as dealt with'],
      ['--reopen <n>', 'open it again'],
    ],
    spells: { path: 'PLACE', line: 'PLACE', repo_id: '--repo', comment_id: '--resolve' },
    work: async (cli, order) => (await import('./review.ts')).review(cli, order),
  }),
  command<MergeOrder>({
    words: 'merge',
    does: ['merge_attempt'],
    help: 'Merge the branch of an attempt into its target branch, in all of its repositories or none.',
    more_help:
      'Conflicts are found before anything is changed. The exit code is 0 when it is merged, 1 when it conflicts or is refused.',
    takes: [
      ATTEMPT,
      ['--mode <mode>', 'merge, squash or rebase (default: that of the project)'],
      ['--message <text>', 'the message of the commit, instead of the usual one'],
      ['--resolve', 'when it conflicts: have the agent resolve the conflicts'],
    ],
    work: async (cli, order) => (await import('./ship.ts')).mergeAttempt(cli, order),
  }),
  command<RebaseOrder>({
    words: 'rebase',
    does: ['rebase_attempt'],
    help: 'Put the branch of an attempt on top of its target branch.',
    takes: [ATTEMPT, ['--resolve', 'when it conflicts: have the agent resolve the conflicts']],
    work: async (cli, order) => (await import('./ship.ts')).rebaseAttempt(cli, order),
  }),
  command<PullRequestOrder>({
    words: 'pr',
    does: ['open_pull_request'],
    help: 'Push the branch of an attempt and open a pull request, with gh or glab.',
    more_help: 'Asked again, it pushes what is new and prints the same address.',
    takes: [
      ATTEMPT,
      ['--title <text>', 'its title (default: that of the task)'],
      ['--body <text>', 'what and why (default: the last words of the agent)'],
      ['--draft', 'open it as a draft'],
    ],
    work: async (cli, order) => (await import('./ship.ts')).openPullRequest(cli, order),
  }),
  command<VerifyOrder>({
    words: 'verify',
    does: ['verify_attempt'],
    help: 'Run the checks of an attempt again, without its agent.',
    takes: [ATTEMPT, ['--wait', 'watch until they have ended; the exit code is 0 if all are green']],
    work: async (cli, order) => (await import('./verify.ts')).verifyAttempt(cli, order),
  }),
  command<CostsOrder>({
    words: 'costs',
    does: ['report_costs'],
    help: 'Add up what runs used, by task, agent, day or project.',
    takes: [
      ['--by <what>', 'task, agent, day or project (default: task)'],
      ['--project <name>', 'only this project, by key, name or id (default: all)'],
      '--from <day>',
      '--to <day>',
    ],
    spells: { project_id: '--project' },
    work: async (cli, order) => (await import('./costs.ts')).reportCosts(cli, order),
  }),
];
