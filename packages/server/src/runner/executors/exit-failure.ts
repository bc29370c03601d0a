import type { AgentProcess } from '#runner/executor';

/** Why an ended program did not succeed; null when it did. */
export async function exitFailure(process: AgentProcess): Promise<string | null> {
  const { code, signal } = await process.exited;
  const killed = process.killed_for();
  if (killed !== null) return killed;
  if (signal !== null) return `ended by ${signal}`;
  return code === 0 ? null : `exit code ${code ?? 'unknown'}`;
}
