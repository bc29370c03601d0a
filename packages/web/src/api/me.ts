import { queryOptions } from '@tanstack/react-query';
import { adminShowMe } from 'errand/client';
import { answerOf } from 'errand/client/answer';

/** As everybody's own project is called from the beginning. */
const OWN = 'Inbox';

/** The name of a project on the page. The own list of a person must not be called Inbox, like the page of that name. */
const shownName = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  kind === 'personal' && name === OWN ? 'My tasks' : name;

/** Who is signed in, what they may do, and in which projects. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const me = await answerOf(adminShowMe({ signal }));
    return { ...me, projects: me.projects.map((project) => ({ ...project, name: shownName(project) })) };
  },
});

export type Me = Awaited<ReturnType<NonNullable<typeof meQuery.queryFn>>>;
export type MyProject = Me['projects'][number];

/** The key of the project that a task belongs to: WEB of WEB-12. */
export const projectKeyOf = (task_key: string | null): string | undefined => task_key?.replace(/-\d+$/, '');

/** What the reader may do in the project of a task; nothing before it is known. */
export const scopesFor = (me: Me | undefined, task_key: string | null): readonly string[] =>
  me?.projects.find(({ key }) => key === projectKeyOf(task_key))?.scopes ?? [];
