import { spawn } from 'node:child_process';
import { findProgram } from '#runner/process/find-program';

/** Variables of the operator that git, gh and glab need to reach a forge. No others, and none of Errand's own. */
const PASSED =
  /^(?:HOME|USER|LOGNAME|PATH|LANG|TMPDIR|SSH_AUTH_SOCK|SSH_AGENT_PID|GIT_SSH|GIT_SSH_COMMAND|GIT_SSL_CAINFO|SSL_CERT_FILE|SSL_CERT_DIR|XDG_CONFIG_HOME|XDG_DATA_HOME|XDG_STATE_HOME|XDG_CACHE_HOME|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|GH_.*|GITHUB_TOKEN|GITHUB_ENTERPRISE_TOKEN|GITLAB_.*|GLAB_.*|(?:https?|all|no)_proxy|(?:HTTPS?|ALL|NO)_PROXY)$/;

/** Nobody is there to answer a prompt. */
const NO_PROMPTS = {
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  NO_PROMPT: '1',
  NO_COLOR: '1',
  LC_ALL: 'C.UTF-8',
} as const;

const MAX_OUTPUT_BYTES = 256 * 1024;

export interface ProgramOutput {
  /** Null when it was ended because it took too long. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd: string;
  readonly input?: string;
}

/** Runs a program of the operator in the operator's own environment, without a terminal. */
export type OperatorProgram = (
  name: string,
  args: readonly string[],
  options: ProgramOptions,
) => Promise<ProgramOutput>;

export function operatorEnvironment(env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && PASSED.test(entry[0]),
  );
  const own = Object.fromEntries(passed);
  // Without this, ssh would wait for somebody to accept the key of an unknown host.
  const ssh =
    own.GIT_SSH === undefined && own.GIT_SSH_COMMAND === undefined ? { GIT_SSH_COMMAND: 'ssh -oBatchMode=yes' } : {};
  return { ...own, ...ssh, ...NO_PROMPTS };
}

/** Rejects with `ProcessError` when the program is not installed. */
export function createOperatorProgram(operator: NodeJS.ProcessEnv, timeout_ms = 120_000): OperatorProgram {
  const env = operatorEnvironment(operator);
  return async (name, args, { cwd, input = '' }) => {
    const file = findProgram(name, cwd, env.PATH);
    return new Promise((resolve, reject) => {
      // A process group of its own: programs that it has started end with it.
      const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
      const read = { stdout: '', stderr: '' };
      let is_late = false;
      const timer = setTimeout(() => {
        is_late = true;
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      }, timeout_ms);
      for (const stream of ['stdout', 'stderr'] as const) {
        child[stream].setEncoding('utf8').on('data', (text: string) => {
          read[stream] = (read[stream] + text).slice(0, MAX_OUTPUT_BYTES);
        });
      }
      child.stdin.on('error', () => undefined);
      child.stdin.end(input);
      child.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      child.on('close', (code) => {
        clearTimeout(timer);
        resolve({ ...read, code: is_late ? null : code });
      });
    });
  };
}
