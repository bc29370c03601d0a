import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/me.ts';

/** What the signed-in person may do with the tasks of a project: write, start agents, delete, by their scopes. */
export function useTaskRights(project_id: string | undefined) {
  const { data: me } = useQuery(meQuery);
  const scopes = me?.projects.find((project) => project.project_id === project_id)?.scopes ?? [];
  return {
    canWrite: scopes.includes('board:write'),
    canRun: scopes.includes('board:run'),
    canDelete: scopes.includes('board:delete'),
  };
}
