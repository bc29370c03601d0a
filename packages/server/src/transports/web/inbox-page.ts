import { html } from 'hono/html';
import type { listTasks } from '#tools/todo/list-tasks';
import { connectPanel } from './connect-panel.ts';
import { DONE_MARK, type Html, OPEN_MARK, page } from './page.ts';

export type TaskList = NonNullable<(typeof listTasks)['types']>['output'];
export type InboxView = 'pending' | 'completed';

export interface Inbox {
  readonly view: InboxView;
  readonly list: TaskList;
  readonly is_first_page: boolean;
  readonly origin: string;
  readonly version: string;
}

const VIEWS: Readonly<Record<InboxView, { readonly title: string; readonly href: string }>> = {
  pending: { title: 'To do', href: '/' },
  completed: { title: 'Completed', href: '/?status=completed' },
};

const tab = (view: InboxView, shown: InboxView): Html =>
  view === shown
    ? html`<a href="${VIEWS[view].href}" aria-current="page">${VIEWS[view].title}</a>`
    : html`<a href="${VIEWS[view].href}">${VIEWS[view].title}</a>`;

const task = ({
  title,
  description,
  completed,
}: TaskList['tasks'][number]): Html => html`<li class="${completed ? 'completed' : 'pending'}">
${completed ? DONE_MARK : OPEN_MARK}
<div><p class="title" dir="auto">${title}</p>${description ? html`<p class="more" dir="auto">${description}</p>` : ''}</div>
</li>`;

const EMPTY: Readonly<Record<InboxView, Html>> = {
  pending: html`<div class="empty"><p>Tasks appear here as soon as you or an agent adds one.</p>
<p>Add the first from a terminal:</p>
<pre tabindex="0"><code>npx errand todo add-task --title "Water the plants"</code></pre></div>`,
  completed: html`<div class="empty"><p>Tasks appear here once they are completed.</p>
<p>Complete one by its id, which <code>npx errand todo list-tasks</code> shows:</p>
<pre tabindex="0"><code>npx errand todo complete-task --task-id ID --completed</code></pre></div>`,
};

const PAST_THE_END = html`<div class="empty"><p>There is nothing more on this page.</p></div>`;

function pages({ view, list: { next_cursor }, is_first_page }: Inbox): Html | '' {
  if (is_first_page && next_cursor === undefined) return '';
  const next = new URLSearchParams({ status: view, cursor: next_cursor ?? '' });
  return html`<nav class="pages" aria-label="Pages">
${is_first_page ? '' : html`<a href="${VIEWS[view].href}">First page</a>`}
${next_cursor === undefined ? '' : html`<a href="/?${next.toString()}" rel="next">Next page</a>`}
</nav>`;
}

function tasks({ view, list, is_first_page }: Inbox): Html {
  if (list.tasks.length > 0) return html`<ul class="tasks">${list.tasks.map(task)}</ul>`;
  return is_first_page ? EMPTY[view] : PAST_THE_END;
}

/** The todo list of the signed-in user, oldest first. */
export const inboxPage = (inbox: Inbox): Html =>
  page({
    title: `${VIEWS[inbox.view].title} · Inbox · Errand`,
    at: 'inbox',
    version: inbox.version,
    body: html`<div class="columns">
<section aria-labelledby="inbox">
<div class="head"><h1 id="inbox">Inbox</h1>
<nav class="tabs" aria-label="Which tasks">${tab('pending', inbox.view)}${tab('completed', inbox.view)}</nav></div>
${tasks(inbox)}
${pages(inbox)}
</section>
${connectPanel(inbox.origin)}
</div>`,
  });
