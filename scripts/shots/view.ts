import type { Page, Route } from 'playwright-core';
import type { Size } from './camera.ts';
import type { Harbour } from './harbour.ts';

/** A picture: where it is taken, and what a person does there first. */
export interface View {
  readonly name: string;
  readonly path: string;
  /** Only at these widths. */
  readonly sizes?: readonly Size[];
  /** Before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** What shows that the page is there. */
  readonly shows: string;
  /** What happens then: to the page, or elsewhere. */
  readonly act?: (page: Page, harbour: Harbour) => Promise<unknown>;
  /** The clock goes on: the picture shows that time has passed. */
  readonly flows?: boolean;
  /** It changes what the next picture of it begins with: one is taken after the other. */
  readonly changes?: boolean;
  /** Taken by somebody without a session, or by a member who is in no project. */
  readonly as?: 'stranger' | 'member';
}

export const isPhone = (page: Page): boolean => (page.viewportSize()?.width ?? 0) <= 760;

export const press = (keys: string) => (page: Page) => page.keyboard.press(keys);

/** Every read of a page, but who the reader is and the stream of changes. */
const isRead = ({ pathname }: URL): boolean =>
  pathname.startsWith('/api/v1/') && !['/api/v1/me', '/api/v1/events'].includes(pathname);

/** Answers what a page reads. */
export const answered = (answer: (route: Route) => Promise<unknown>) => (page: Page) =>
  page.route(isRead, (route) => (route.request().method() === 'GET' ? answer(route) : route.continue()));

/** An answer with an error. It is none that the page asks again for by itself. */
export const refusal = (status: number, error: { readonly code: string; readonly message: string }) => (route: Route) =>
  route.fulfill({ status, json: { error: { ...error, retryable: false, correlation_id: '01a1e0b2' } } });

/** Changes an answer of the server on its way to the page. */
export const changed =
  <Body>(pattern: string, change: (body: Body) => Body) =>
  (page: Page) =>
    page.route(pattern, async (route) => {
      const response = await route.fetch();
      // As the caller of this function knows the answer.
      await route.fulfill({ response, json: change((await response.json()) as Body) });
    });
