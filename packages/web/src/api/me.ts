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

/** The key of the project that a task belongs to: WEB of WEB-12. */
export const projectKeyOf = (task_key: string | null): string | undefined => task_key?.replace(/-\d+$/, '');

/** What the reader may do in the project of a task; nothing before it is known. */
export const scopesFor = (me: Me | undefined, task_key: string | null): readonly string[] =>
  me?.projects.find(({ key }) => key === projectKeyOf(task_key))?.scopes ?? [];
