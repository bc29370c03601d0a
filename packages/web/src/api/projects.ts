import { queryOptions } from '@tanstack/react-query';
import { listProjects } from 'errand/client';
import { answerOf } from 'errand/client/answer';

const PAGE = 200;

/** The projects of the signed-in person, those of teams first. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async () => {
    const { projects } = await answerOf(listProjects({ limit: PAGE }));
    return projects.filter(({ is_on_board }) => is_on_board);
  },
});
