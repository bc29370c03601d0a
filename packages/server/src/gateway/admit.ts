import type { ProjectId, UserId } from '#domain/ids';
import type { Scope } from '#domain/scope';
import { ErrandError } from '#errors';
import type { Reads } from '#store/store';
import { authorizeFields, authorizeProject, authorizeSubject, authorizeTool } from './authorize.ts';
import type { Call } from './gateway.ts';
import { validate } from './validate.ts';

/** A call that has passed the checks which need no database. */
export interface Admitted {
  readonly call: Call;
  readonly input: Record<string, unknown>;
  readonly subject: UserId;
  /** What it needs, in whatever project it is about. */
  readonly needed: readonly Scope[];
  readonly correlation_id: string;
}

export function admit(call: Call, correlation_id: string): Admitted {
  const { caller, tool } = call;
  if (caller.fault !== null) throw caller.fault;
  authorizeTool(caller, tool);
  const input = validate(tool, call.input);
  const needed = authorizeFields(caller, tool, input);
  const subject = authorizeSubject(caller, tool.subject === null ? undefined : input[tool.subject]);
  const project = tool.project === null ? undefined : input[tool.project];
  // The input was validated: what is given there is an id.
  if (project !== undefined) authorizeProject(call, needed, project as ProjectId);
  return { call, input, subject, needed, correlation_id };
}

/** The token has vouched for its own user; anyone else that it names must be there, and not blocked. */
export async function mustBeActive(tx: Reads, { call: { caller }, subject }: Admitted): Promise<void> {
  if (subject === caller.user_id) return;
  const user = await tx.users.find(caller.workspace_id, subject);
  if (user?.status === 'active') return;
  throw new ErrandError('unauthorized', 'user_id names no active user of this workspace.', {
    hint: 'Ask whom this is for, and name them by their id.',
  });
}
