import { queryOptions } from '@tanstack/react-query';
import { adminShowMe } from 'errand/client';
import { answerOf } from 'errand/client/answer';

/** Who is signed in, what they may do, and in which projects. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => answerOf(adminShowMe({ signal })),
});

export type Me = Awaited<ReturnType<NonNullable<typeof meQuery.queryFn>>>;
export type MyProject = Me['projects'][number];
