import type { Naming } from '#advice';
import type { Call, Gateway } from '#gateway/gateway';
import { type Failure, worded } from '#gateway/outcome';
import type { TOOLS } from '#tools/catalog';
import type { ProfileName } from '#tools/profiles';

type ToolOf<Profile extends ProfileName> = (typeof TOOLS)[Profile][number];
type TypesOf<Profile extends ProfileName, Name> = NonNullable<
  Extract<ToolOf<Profile>, { readonly name: Name }>['types']
>;

export interface ToolRequest<Profile extends ProfileName, Name>
  extends Pick<Call, 'caller' | 'transport' | 'correlation_id'> {
  readonly profile: Profile;
  readonly name: Name;
  readonly input: TypesOf<Profile, Name>['input'];
  /** How a refusal names tools and fields; by default by their full names. */
  readonly naming?: Naming;
}

export type ToolOutcome<Output> = { readonly ok: true; readonly value: Output } | ({ readonly ok: false } & Failure);

/** Calls a tool for our own pages and commands, with the types that its file declares. */
export async function askTool<Profile extends ProfileName, Name extends ToolOf<Profile>['name']>(
  gateway: Gateway,
  { profile, name, naming, ...call }: ToolRequest<Profile, Name>,
): Promise<ToolOutcome<TypesOf<Profile, Name>['output']>> {
  const tool = gateway.find(name, profile);
  if (tool === undefined) throw new Error(`The catalogue has no ${name}.`);
  const outcome = await gateway.dispatch({ ...call, tool });
  if (!outcome.ok) return { ...outcome, error: worded(outcome.error, naming) };
  // Safe: the gateway has checked the answer against the output schema of this tool.
  return { ok: true, value: JSON.parse(outcome.json) as TypesOf<Profile, Name>['output'] };
}
