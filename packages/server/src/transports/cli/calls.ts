import type { WireError } from '#gateway/gateway';
import type { TOOLS, Tool } from '#tools/catalog';
import type { ProfileName } from '#tools/profiles';
import type { Wording } from './wording.ts';

type ToolOf<Profile extends ProfileName> = (typeof TOOLS)[Profile][number];
type TypesOf<Profile extends ProfileName, Name> = NonNullable<
  Extract<ToolOf<Profile>, { readonly name: Name }>['types']
>;
export type ToolNameOf<Profile extends ProfileName> = ToolOf<Profile>['name'];
export type InputOf<Profile extends ProfileName, Name extends ToolNameOf<Profile>> = TypesOf<Profile, Name>['input'];
export type AnswerOf<Profile extends ProfileName, Name extends ToolNameOf<Profile>> = TypesOf<Profile, Name>['output'];

/** The answer as JSON text, or the failure in the words of the command line. */
export type Answered =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly status: number; readonly error: WireError };

/** The tools as a command calls them: on the data of this machine, or on a server elsewhere. */
export interface Calls {
  /** The address of the server; null for the data of this machine. */
  readonly address: string | null;
  readonly call: (
    tool: Tool,
    input: Readonly<Record<string, unknown>>,
    wording: Wording,
    signal?: AbortSignal,
  ) => Promise<Answered>;
  /** Calls a tool with the types that its file declares. Throws `Refused`. */
  readonly ask: <Profile extends ProfileName, Name extends ToolNameOf<Profile>>(
    profile: Profile,
    name: Name,
    input: InputOf<Profile, Name>,
    wording?: Wording,
  ) => Promise<AnswerOf<Profile, Name>>;
}

/** The refusal of a tool: the command ends with its error. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly error: WireError;
  readonly status: number;

  constructor(error: WireError, status: number) {
    super(error.message);
    this.error = error;
    this.status = status;
  }
}

/** Makes the typed `ask` of a way to call tools. */
export const askingBy =
  (find: (profile: ProfileName, name: string) => Tool | undefined, call: Calls['call']): Calls['ask'] =>
  async (profile, name, input, wording = 'command') => {
    const tool = find(profile, name);
    if (tool === undefined) throw new Error(`The catalogue has no ${name}.`);
    // The cast forgets the types of the fields: the gateway parses them.
    const answered = await call(tool, input as Readonly<Record<string, unknown>>, wording);
    if (!answered.ok) throw new Refused(answered.error, answered.status);
    // Safe: the server has checked the answer against the output schema of this tool.
    return JSON.parse(answered.json);
  };
