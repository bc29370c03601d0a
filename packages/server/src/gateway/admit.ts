import type { ProjectId, UserId } from '#domain/ids';
import { isWholeId } from '#domain/reference';
import type { Scope } from '#domain/scope';
import { authorizeFields, authorizeProject, authorizeSubject, authorizeTool, type Subject } from './authorize.ts';
import type { Call } from './gateway.ts';
import { validate } from './validate.ts';

/** A call that has passed the checks that need no database. */
export interface Admitted {
  readonly call: Call;
  readonly input: Record<string, unknown>;
  readonly named: Subject;
  /** The scopes that it needs. */
  readonly needed: readonly Scope[];
  readonly correlation_id: string;
}

/** A call whose user was found; the caller may act for that user. */
export interface Settled extends Admitted {
  readonly subject: UserId;
}

export function admit(call: Call, correlation_id: string): Admitted {
  const { caller, tool } = call;
  if (caller.fault !== null) throw caller.fault;
  authorizeTool(caller, tool);
  const input = validate(tool, call.input);
  const needed = authorizeFields(caller, tool, input);
  const named = authorizeSubject(caller, tool.subject === null ? undefined : input[tool.subject]);
  const project = tool.project === null ? undefined : input[tool.project];
  // A key or a name is checked when its id is known.
  if (typeof project === 'string' && isWholeId(project)) authorizeProject(call, needed, project as ProjectId);
  return { call, input, named, needed, correlation_id };
}
