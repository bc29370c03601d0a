import { z } from 'zod';
import type { UserId, WorkspaceId } from './ids.ts';

export const UserRole = z.enum(['member', 'admin']);
export type UserRole = z.infer<typeof UserRole>;

export const UserStatus = z.enum(['active', 'blocked']);
export type UserStatus = z.infer<typeof UserStatus>;

/** A person of the workspace, or a user of an app. */
export interface User {
  readonly id: UserId;
  readonly workspace_id: WorkspaceId;
  /** The app that the user belongs to; null for a person. */
  readonly app: string | null;
  /** The name of a person; of an app's user the id that the app gives them. */
  readonly name: string;
  readonly role: UserRole;
  readonly status: UserStatus;
  readonly created_at: number;
}

export interface Workspace {
  readonly id: WorkspaceId;
  readonly name: string;
  readonly created_at: number;
}
