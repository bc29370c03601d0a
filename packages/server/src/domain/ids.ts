import { z } from 'zod';

/** The kind of thing that an id names, in the words of the audit trail. */
const KINDS = z.registry<{ readonly kind: string }>();

/** A field that names one thing of a kind. */
export function naming<Schema extends object>(kind: string, schema: Schema): Schema {
  // The cast: a registry is typed by the version of zod that made the schema, and here any schema will do.
  KINDS.add(schema as never, { kind });
  return schema;
}

// Not `z.uuid()`: a malformed id gets the same answer as an unknown one.
const id = <Brand extends string>(kind: string) => naming(kind, z.string().min(1).max(200).brand<Brand>());

export const WorkspaceId = id<'WorkspaceId'>('workspace');
export type WorkspaceId = z.infer<typeof WorkspaceId>;
export const UserId = id<'UserId'>('user');
export type UserId = z.infer<typeof UserId>;
export const AgentId = id<'AgentId'>('agent');
export type AgentId = z.infer<typeof AgentId>;
export const TokenId = id<'TokenId'>('token');
export type TokenId = z.infer<typeof TokenId>;
export const ProjectId = id<'ProjectId'>('project');
export type ProjectId = z.infer<typeof ProjectId>;
export const StateId = id<'StateId'>('state');
export type StateId = z.infer<typeof StateId>;
export const LabelId = id<'LabelId'>('label');
export type LabelId = z.infer<typeof LabelId>;
export const RepoId = id<'RepoId'>('repo');
export type RepoId = z.infer<typeof RepoId>;
export const WorkItemId = id<'WorkItemId'>('work_item');
export type WorkItemId = z.infer<typeof WorkItemId>;
export const ConversationId = id<'ConversationId'>('conversation');
export type ConversationId = z.infer<typeof ConversationId>;
export const MessageId = id<'MessageId'>('message');
export type MessageId = z.infer<typeof MessageId>;
export const CommentId = id<'CommentId'>('comment');
export type CommentId = z.infer<typeof CommentId>;
export const RunId = id<'RunId'>('execution');
export type RunId = z.infer<typeof RunId>;
export const StepId = id<'StepId'>('step');
export type StepId = z.infer<typeof StepId>;
export const AttemptId = id<'AttemptId'>('attempt');
export type AttemptId = z.infer<typeof AttemptId>;
export const SessionId = id<'SessionId'>('session');
export type SessionId = z.infer<typeof SessionId>;
export const QueuedPromptId = id<'QueuedPromptId'>('queued_prompt');
export type QueuedPromptId = z.infer<typeof QueuedPromptId>;
export const ApprovalId = id<'ApprovalId'>('approval');
export type ApprovalId = z.infer<typeof ApprovalId>;

export const GitJobId = id<'GitJobId'>('git_job');
export type GitJobId = z.infer<typeof GitJobId>;
export const ReviewCommentId = id<'ReviewCommentId'>('review_comment');
export type ReviewCommentId = z.infer<typeof ReviewCommentId>;
/** A message to a running agent. `MessageId` is one of a conversation of the todo profile. */
export const AgentMessageId = id<'AgentMessageId'>('agent_message');
export type AgentMessageId = z.infer<typeof AgentMessageId>;

/** Makes a new id, of the kind that its place needs. */
export type NewId = <Id extends string>() => Id;

/** The kind of thing that a field names; null for a field that holds no id. */
export function kindNamedBy(field: z.core.$ZodType): string | null {
  // The casts: the definition of a schema has no type for all kinds, and the registry as above.
  const inner = 'innerType' in field._zod.def ? (field._zod.def.innerType as z.core.$ZodType) : null;
  return inner === null ? (KINDS.get(field as never)?.kind ?? null) : kindNamedBy(inner);
}
