import { createWorld, type World } from '#testing/world';
import { createAddressOf } from '#transports/address';
import { createWeb } from '#transports/web/web';

export const report = (): void => {};

/** A folder without the web app, whether or not it was built here. */
const NOT_BUILT = '/nowhere';

/** The pages of the whole product in memory. */
export async function aSite({
  web_folder = NOT_BUILT,
  ...options
}: {
  readonly allowAnonymous?: boolean;
  readonly web_folder?: string;
} = {}) {
  const world = await createWorld(options);
  const web = createWeb({
    addressOf: createAddressOf([]),
    gateway: world.gateway,
    version: '9.9.9',
    report,
    clock: () => world.time.now,
    web_folder,
  });
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    web.request(path, { method, headers: { host: '127.0.0.1:8081', ...headers } });
  /** Creates a sign-in key for the owner of the machine or another user. */
  const newKey = async (fields: object = {}): Promise<string> =>
    String((await world.ask('admin_create_sign_in', fields)).key);
  const signIn = async (fields: object = {}): Promise<Record<string, string>> => {
    const answer = await get(`/?key=${await newKey(fields)}`);
    return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
  };
  /** Who is signed in with these headers; null for nobody. */
  const whoIs = async ({ cookie = '' }: Record<string, string>): Promise<string | null> =>
    world.gateway.authenticate(cookie.slice(cookie.indexOf('=') + 1)).then(
      ({ user_id }) => user_id,
      () => null,
    );
  return { world, key: await newKey(), newKey, web, get, signIn, whoIs };
}

export const tokensOf = async (world: World) =>
  (await world.ask('admin_list_tokens', {})).tokens as readonly Record<string, unknown>[];
