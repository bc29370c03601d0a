import { queryOptions } from '@tanstack/react-query';
import {
  adminListLabels,
  adminListMembers,
  adminListRepos,
  adminListStates,
  adminShowProject,
  taskerGetAgentInstructions,
} from 'errand/client';
import { answerOf } from 'errand/client/answer';
import { allPages, PAGE_ROWS } from './pages.ts';

/** What the settings of a project show: the project, its states, labels, members and repositories. */
export const projectQuery = (project: string) =>
  queryOptions({
    queryKey: ['settings', 'project', project],
    queryFn: ({ signal }) => answerOf(adminShowProject(project, { signal })),
  });

export type ProjectSettings = Awaited<ReturnType<NonNullable<ReturnType<typeof projectQuery>['queryFn']>>>;

export const statesQuery = (project: string) =>
  queryOptions({
    queryKey: ['settings', 'states', project],
    queryFn: ({ signal }) => answerOf(adminListStates(project, { signal })),
  });

export const labelsQuery = (project: string) =>
  queryOptions({
    queryKey: ['settings', 'labels', project],
    queryFn: ({ signal }) =>
      allPages(
        (page) => answerOf(adminListLabels(project, { limit: PAGE_ROWS, ...page }, { signal })),
        ({ labels }) => labels,
      ),
  });

export const membersQuery = (project: string) =>
  queryOptions({
    queryKey: ['settings', 'members', project],
    queryFn: ({ signal }) =>
      allPages(
        (page) => answerOf(adminListMembers(project, { limit: PAGE_ROWS, ...page }, { signal })),
        ({ members }) => members,
      ),
  });

export const reposQuery = (project: string) =>
  queryOptions({
    queryKey: ['settings', 'repos', project],
    queryFn: ({ signal }) => answerOf(adminListRepos(project, { signal })),
  });

/** The instructions that an agent reads about this project. */
export const instructionsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['settings', 'instructions', project_id],
    queryFn: ({ signal }) => answerOf(taskerGetAgentInstructions({ projectId: project_id }, { signal })),
  });
