import { type Context, Hono } from 'hono';
import { raw } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ErrandError } from '#errors';
import type { Call, Gateway } from '#gateway/gateway';
import type { Failure } from '#gateway/outcome';
import type { AddressOf } from '#transports/address';
import { failureOf, headersOf, JSON_TYPE, type Report, SECURITY_HEADERS } from '#transports/answer';
import { askTool } from '#transports/ask-tool';
import { originOf } from '#transports/origin';
import { createApp, isAppAddress } from './app.ts';
import { docsFoundPage } from './docs-page.ts';
import { createDocsPictures } from './docs-pictures.ts';
import { createDocsTexts } from './docs-texts.ts';
import { databaseAwayPage, failurePage, noSuchPage, notBuiltPage, usedKeyPage } from './note-page.ts';
import { type Html, STYLE_PATH } from './page.ts';
import { beganCall, idOf } from './request.ts';
import { browserOf, keepSession, sessionOf } from './session.ts';
import { createSignInRoutes } from './sign-in-routes.ts';
import { STYLE } from './style.ts';

export interface WebParts {
  readonly gateway: Gateway;
  readonly version: string;
  readonly report: Report;
  readonly clock: () => number;
  readonly addressOf: AddressOf;
  /** The folder of the documentation; by default beside the program. */
  readonly docs_folder?: string;
  /** The folder of the built web app; by default beside the program. */
  readonly web_folder?: string;
}

/** The form of a key. Other texts are not looked up, because anyone may send them. */
const KEY = /^[\w-]{22}$/;

const HTML_HEADERS = {
  ...SECURITY_HEADERS,
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
};

async function show(c: Context, body: Html | Promise<Html>, status: ContentfulStatusCode = 200): Promise<Response> {
  return c.html(await body, status, HTML_HEADERS);
}

/** What browsers open: the web app, the links that sign in, and the documentation. */
export function createWeb({ gateway, version, report, clock, addressOf, docs_folder, web_folder }: WebParts): Hono {
  const app = new Hono();
  app.route('/', createApp(web_folder));

  /** Returns the signed-in caller; null when there is none. */
  async function callerOf(c: Context): Promise<Call['caller'] | null> {
    try {
      return await gateway.authenticate(sessionOf(c));
    } catch (error) {
      if (error instanceof ErrandError && error.code === 'unauthenticated') return null;
      throw error;
    }
  }

  async function signIn(c: Context, key: string): Promise<Response> {
    // A link preview asks with HEAD, and must not use up the key.
    const opens = c.req.method !== 'HEAD' && KEY.test(key) && (await gateway.knowsSignInKey(key));
    const begun = opens ? await redeem(c, key) : null;
    if (begun?.ok === true) {
      keepSession(c, begun.value.token);
      for (const [name, value] of Object.entries(HTML_HEADERS)) c.header(name, value);
      return c.redirect('/', 303);
    }
    if (begun !== null && begun.status !== 404) return showFailure(c, begun);
    // The link was opened again in the browser that it has signed in.
    return (await callerOf(c)) === null ? show(c, usedKeyPage(version), 403) : c.redirect('/', 303);
  }

  /** Exchanges the key of a sign-in link for a token. */
  const redeem = async (c: Context, key: string) =>
    askTool(gateway, {
      profile: 'admin',
      name: 'redeem_sign_in',
      caller: await gateway.local(),
      input: { key, ...browserOf(c, addressOf) },
      transport: 'web',
      correlation_id: beganCall(c),
    });

  function showFailure(c: Context, failure: Failure): Promise<Response> {
    for (const [name, value] of Object.entries(headersOf(failure))) c.header(name, value);
    const body = failure.status === 503 ? databaseAwayPage(version) : failurePage(version, failure);
    // Safe: the table of errors holds only statuses that have a body.
    return show(c, body, failure.status as ContentfulStatusCode);
  }

  /** The JSON of the REST API: browsers do not ask this. */
  function refuse(c: Context, cause: Failure | ErrandError): Response {
    const failure = cause instanceof ErrandError ? failureOf(cause, report, idOf(c)) : cause;
    for (const [name, value] of Object.entries(headersOf(failure))) c.header(name, value);
    // Safe: the table of errors holds only statuses that have a body.
    const status = failure.status as ContentfulStatusCode;
    return c.body(JSON.stringify({ error: failure.error }), status, { ...SECURITY_HEADERS, ...JSON_TYPE });
  }

  const signIns = createSignInRoutes({ gateway, clock, refuse, addressOf });
  signIns.onError((error, c) => refuse(c, error instanceof ErrandError ? error : failureOf(error, report, idOf(c))));
  app.route('/', signIns);

  app.get('/', (c, next) => {
    const key = c.req.query('key');
    return key === undefined ? next() : signIn(c, key);
  });

  app.get(STYLE_PATH, (c) =>
    c.body(STYLE, 200, {
      ...SECURITY_HEADERS,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/css; charset=utf-8',
    }),
  );

  const docs = createDocsTexts(version, docs_folder);
  const sendText = (c: Context, text: string, type: string) =>
    c.body(text, 200, { ...SECURITY_HEADERS, 'content-type': `${type}; charset=utf-8` });

  app.get('/docs', async (c) => {
    const query = c.req.query('q')?.trim() ?? '';
    if (query === '') return show(c, raw(await docs.index(originOf(c))));
    return show(c, docsFoundPage(query, await docs.search(query), version));
  });
  app.get('/docs/search.json', async (c) => {
    const found = await docs.search(c.req.query('q') ?? '');
    return c.body(JSON.stringify({ found }), 200, { ...SECURITY_HEADERS, ...JSON_TYPE });
  });
  app.get('/docs/', (c) => c.redirect('/docs', 301));
  const picture = createDocsPictures(docs_folder);
  app.get('/docs/images/:name', async (c) => {
    const bytes = await picture(c.req.param('name'));
    if (bytes === undefined) return show(c, noSuchPage(version), 404);
    return c.body(new Uint8Array(bytes), 200, { ...SECURITY_HEADERS, 'content-type': 'image/webp' });
  });
  app.get('/docs/:file', async (c) => {
    const asked = c.req.param('file');
    const origin = originOf(c);
    const [, name = '', suffix] = /^([a-z0-9-]+)(\.md)?$/.exec(asked) ?? [];
    const file = await docs.file(asked, origin);
    if (file !== undefined) return sendText(c, file.text, file.type);
    const text = await (suffix === undefined ? docs.page(name, origin) : docs.markdown(name, origin));
    if (text === undefined) return show(c, noSuchPage(version), 404);
    return suffix === undefined ? show(c, raw(text)) : sendText(c, text, 'text/markdown');
  });
  app.get('/llms.txt', async (c) => sendText(c, await docs.llms(originOf(c)), 'text/plain'));

  app.all('*', (c, next) => {
    const { path } = c.req;
    const isPage = ['/docs', '/llms.txt'].includes(path) || /^\/(?:docs|assets)\//.test(path) || isAppAddress(path);
    if (!isPage || c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const details = { allow: 'GET, HEAD' };
    return refuse(c, new ErrandError('method_not_allowed', `${c.req.path} takes ${details.allow}.`, { details }));
  });
  app.get('*', (c, next) => (isAppAddress(c.req.path) ? show(c, notBuiltPage(version), 503) : next()));
  app.get('*', (c, next) =>
    // Browsers accept text/html; programs get the JSON of the REST API.
    c.req.header('accept')?.toLowerCase().includes('text/html') ? show(c, noSuchPage(version), 404) : next(),
  );

  app.notFound((c) =>
    refuse(
      c,
      new ErrandError('not_found', `There is nothing at ${c.req.path}. GET /openapi.json lists what there is.`),
    ),
  );
  app.onError((error, c) => showFailure(c, failureOf(error, report, idOf(c))));
  return app;
}
