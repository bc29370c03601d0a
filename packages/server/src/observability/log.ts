import { type Logger, pino } from 'pino';
import { withoutSecrets } from './redact.ts';
import { shortLine } from './short-line.ts';
import { createSink } from './sink.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Fields = Readonly<Record<string, unknown>>;

export interface Log {
  /** A tool call: what was called by whom and how it ended, never its arguments or content. */
  readonly call: (record: object & { readonly outcome: string }) => void;
  readonly info: (message: string, fields?: Fields) => void;
  readonly warn: (message: string, fields?: Fields) => void;
  /** `error` is logged with its message and stack, which appear nowhere else. */
  readonly error: (message: string, fields?: Fields & { readonly error?: unknown }) => void;
  /** Writes the buffered lines. Call it before the process ends. */
  readonly flush: () => void;
}

function levelOf(outcome: string): 'info' | 'warn' | 'error' {
  if (outcome === 'ok') return 'info';
  return outcome === 'internal' ? 'error' : 'warn';
}

interface LogOptions {
  readonly level: LogLevel;
  readonly fd: 1 | 2;
  /** Lines are held until then; `flush` writes them in any case. */
  readonly after?: Promise<void> | undefined;
  /** Writes lines for a person at a terminal; JSON unless given. */
  readonly is_short?: boolean;
}

/** JSON lines, unless short ones are asked for. Written in chunks, at the latest after 100 ms, so that a call does not wait for its line. */
export function createLog({ level, fd, after, is_short = false }: LogOptions): Log {
  const sink = createSink(fd, after);
  const put = (line: string): void => {
    const safe = withoutSecrets(line);
    sink.write(is_short ? shortLine(safe) : safe);
  };
  let made: Logger | undefined;
  // Created at the first line: most commands write none, and end before pino would be loaded.
  const logger = (): Logger => {
    made ??= pino(
      {
        level,
        base: { pid: process.pid },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        serializers: { error: pino.stdSerializers.err },
      },
      { write: put },
    );
    return made;
  };
  const isOn = (line: LogLevel): boolean => LOG_LEVELS.indexOf(line) >= LOG_LEVELS.indexOf(level);
  const { pid } = process;
  // Built by hand, because this line is written thousands of times per second.
  const tellSuccess = (record: object): void => {
    const time = new Date().toISOString();
    const fields = JSON.stringify(record).slice(1, -1);
    put(`{"level":"info","time":"${time}","pid":${pid},${fields},"msg":"call"}\n`);
  };

  return {
    call: (record) => {
      const line = levelOf(record.outcome);
      if (!isOn(line)) return;
      if (record.outcome === 'ok') tellSuccess(record);
      else logger()[line](record, 'call');
    },
    info: (message, fields = {}) => isOn('info') && logger().info(fields, message),
    warn: (message, fields = {}) => isOn('warn') && logger().warn(fields, message),
    error: (message, fields = {}) => isOn('error') && logger().error(fields, message),
    flush: sink.flush,
  };
}
