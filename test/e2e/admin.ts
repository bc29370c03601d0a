import { sendJson } from './http.ts';
import { errandJson, type Place, placeFlags } from './program.ts';

export interface TokenRequest {
  readonly kind: 'user' | 'service';
  readonly user_id?: string;
  readonly user_ids?: readonly string[];
  readonly scopes?: readonly string[];
  readonly expires_in?: string;
}

export interface IssuedToken {
  readonly token_id: string;
  readonly token: string;
}

/** The administrator of a running server. */
export interface Admin {
  readonly addUser: (name: string) => Promise<string>;
  readonly blockUser: (user_id: string) => Promise<void>;
  readonly createToken: (request: TokenRequest) => Promise<IssuedToken>;
  readonly revokeToken: (token_id: string) => Promise<void>;
}

const TODO = ['todo:read', 'todo:write'];

export function adminOf(origin: string, token: string): Admin {
  const call = async (tool: string, args: object): Promise<Record<string, unknown>> => {
    const { status, text } = await sendJson(origin, `/api/v1/tools/admin_${tool}`, token, args);
    if (status >= 300) throw new Error(`admin_${tool} answered ${status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return {
    addUser: async (name) => String((await call('add_user', { name })).user_id),
    blockUser: async (user_id) => void (await call('block_user', { user_id })),
    createToken: async ({ kind, scopes = kind === 'user' ? TODO : [...TODO, 'todo:act_as'], ...rest }) => {
      const issued = await call('create_token', { kind, name: 'test', scopes, ...rest });
      return { token_id: String(issued.token_id), token: String(issued.token) };
    },
    revokeToken: async (token_id) => void (await call('revoke_token', { token_id })),
  };
}

export async function adminToken(place: Place): Promise<string> {
  const scopes = ['admin', ...TODO, 'todo:act_as', 'execution:report'].join(',');
  const command = ['token', 'create', '--kind', 'user', '--name', 'admin', '--scopes', scopes, ...placeFlags(place)];
  return String((await errandJson(command)).token);
}
