import { z } from 'zod';

// Not `z.uuid()`: an id that cannot exist is answered like one that does not, so that its form tells nothing.
const id = <Brand extends string>() => z.string().min(1).max(64).brand<Brand>();

export const WorkspaceId = id<'WorkspaceId'>();
export type WorkspaceId = z.infer<typeof WorkspaceId>;
export const UserId = id<'UserId'>();
export type UserId = z.infer<typeof UserId>;
export const AgentId = id<'AgentId'>();
export type AgentId = z.infer<typeof AgentId>;
export const TokenId = id<'TokenId'>();
export type TokenId = z.infer<typeof TokenId>;
export const ProjectId = id<'ProjectId'>();
export type ProjectId = z.infer<typeof ProjectId>;
export const StateId = id<'StateId'>();
export type StateId = z.infer<typeof StateId>;
export const LabelId = id<'LabelId'>();
export type LabelId = z.infer<typeof LabelId>;
export const RepoId = id<'RepoId'>();
export type RepoId = z.infer<typeof RepoId>;
export const WorkItemId = id<'WorkItemId'>();
export type WorkItemId = z.infer<typeof WorkItemId>;
export const ConversationId = id<'ConversationId'>();
export type ConversationId = z.infer<typeof ConversationId>;
export const MessageId = id<'MessageId'>();
export type MessageId = z.infer<typeof MessageId>;
export const CommentId = id<'CommentId'>();
export type CommentId = z.infer<typeof CommentId>;
export const ExecutionId = id<'ExecutionId'>();
export type ExecutionId = z.infer<typeof ExecutionId>;
export const StepId = id<'StepId'>();
export type StepId = z.infer<typeof StepId>;
