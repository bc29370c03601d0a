import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** A note that an agent wrote about itself, outside of the product, so that no fault can change it. */
export interface AgentNote {
  readonly event: 'start' | 'prompt' | 'end';
  readonly execution_id: string;
  readonly prompt?: string;
}

export interface AgentLog {
  readonly path: string;
  /** Returns all notes so far. */
  readonly notes: () => readonly AgentNote[];
  readonly count: (event: AgentNote['event']) => number;
}

/** Opens the log that all agents of a test append to. */
export function openAgentLog(path: string): AgentLog {
  const notes: AgentNote[] = [];
  let offset = 0;
  let rest = '';

  function readOn(): void {
    if (!existsSync(path)) return;
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - offset);
      offset += readSync(file, bytes, 0, bytes.length, offset);
      const lines = (rest + bytes.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) notes.push(JSON.parse(line) as AgentNote);
    } finally {
      closeSync(file);
    }
  }

  const read = (): readonly AgentNote[] => {
    readOn();
    return notes;
  };
  return { path, notes: read, count: (event) => read().filter((note) => note.event === event).length };
}

/** Makes the script line that names the script, so that it can be found in any run. */
export const markLine = (key: string): string => `say mark ${key}`;

export const markOf = (prompt: string): string | null => /^say mark (\S+)$/m.exec(prompt)?.[1] ?? null;
