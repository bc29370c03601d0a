import type { AgentId, AgentMessageId, ApprovalId, AttemptId, ProjectId, RunId, UserId, WorkspaceId } from './ids.ts';

/** Words to the agent of an attempt. */
export interface AgentMessage {
  readonly id: AgentMessageId;
  readonly workspace_id: WorkspaceId;
  readonly project_id: ProjectId;
  readonly attempt_id: AttemptId;
  /** The order of the messages of one attempt, from 1. */
  readonly seq: number;
  readonly source: 'person' | 'answer' | 'system';
  readonly text: string;
  /** The question that it answers. */
  readonly approval_id: ApprovalId | null;
  /** Whether the agent's turn is stopped for it. */
  readonly interrupt: boolean;
  /** Whether a run may be started for it: what its sender could do when it was sent. */
  readonly may_run: boolean;
  readonly status: 'queued' | 'delivered' | 'read' | 'cancelled';
  /** The run that it was given to. */
  readonly execution_id: RunId | null;
  readonly user_id: UserId;
  readonly agent_id: AgentId | null;
  readonly created_at: number;
  readonly delivered_at: number | null;
  readonly read_at: number | null;
}

/** More than a person writes before the agent reads any of it; the sender has to keep the rest. */
export const MAX_QUEUED_MESSAGES = 100;

const HEADINGS: Readonly<Record<AgentMessage['source'], string>> = {
  person: 'Message:',
  answer: '',
  system: 'Message from Errand:',
};

/** Messages as a part of a prompt, in their order. */
export const asPrompt = (messages: readonly Pick<AgentMessage, 'source' | 'text'>[]): string =>
  messages.map(({ source, text }) => [HEADINGS[source], text].filter((part) => part !== '').join('\n')).join('\n\n');

/** The first items that have at most `most` characters together, and at least one item. */
export function firstFitting<Of>(all: readonly Of[], lengthOf: (one: Of) => number, most: number): readonly Of[] {
  let characters = 0;
  const end = all.findIndex((one, at) => {
    characters += lengthOf(one);
    return at > 0 && characters > most;
  });
  return end === -1 ? all : all.slice(0, end);
}

export const fittingMessages = (messages: readonly AgentMessage[], most: number): readonly AgentMessage[] =>
  firstFitting(messages, ({ text }) => text.length, most);
