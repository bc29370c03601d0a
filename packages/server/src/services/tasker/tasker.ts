import type { Ports } from '#services/ports';
import type { TaskerAdapter } from './adapter.ts';
import { createAssignees } from './assignees.ts';
import { createBlocks } from './blocks.ts';
import { createComments } from './comments.ts';
import { createContext } from './context.ts';
import { createInstructions } from './instructions.ts';
import { createIssues } from './issues.ts';
import { createLabels } from './labels.ts';
import { createTrackerMembers } from './members.ts';
import { createMoves } from './moves.ts';
import { createTrackerProjects } from './projects.ts';
import { createWorkReports } from './work-reports.ts';
import { createWorkSessions } from './work-sessions.ts';

/** The rules of the tracker, by subject, in front of the store of its issues. */
export const createTasker = (ports: Ports, adapter: TaskerAdapter) => ({
  assignees: createAssignees(adapter),
  blocks: createBlocks(ports, adapter),
  comments: createComments(adapter),
  context: createContext(ports, adapter),
  instructions: createInstructions(),
  issues: createIssues(ports, adapter),
  labels: createLabels(adapter),
  members: createTrackerMembers(adapter),
  moves: createMoves(adapter),
  projects: createTrackerProjects(ports, adapter),
  reports: createWorkReports(ports),
  sessions: createWorkSessions(ports, adapter),
});
