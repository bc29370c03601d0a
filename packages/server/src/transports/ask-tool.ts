import type { Call, Gateway, Outcome } from '#gateway/gateway';
import type { TOOLS } from '#tools/catalog';
import type { ProfileName } from '#tools/profiles';

type ToolOf<Profile extends ProfileName> = (typeof TOOLS)[Profile][number];
type TypesOf<Profile extends ProfileName, Name> = NonNullable<
  Extract<ToolOf<Profile>, { readonly name: Name }>['types']
>;

export interface Question<Profile extends ProfileName, Name>
  extends Pick<Call, 'caller' | 'transport' | 'correlation_id'> {
  readonly profile: Profile;
  readonly name: Name;
  readonly input: TypesOf<Profile, Name>['input'];
}

export type Asked<Output> = { readonly ok: true; readonly value: Output } | Extract<Outcome, { readonly ok: false }>;

/** Calls a tool that our own pages and commands rely on, typed as its file declares it. */
export async function askTool<Profile extends ProfileName, Name extends ToolOf<Profile>['name']>(
  gateway: Gateway,
  { profile, name, ...call }: Question<Profile, Name>,
): Promise<Asked<TypesOf<Profile, Name>['output']>> {
  const tool = gateway.find(name, profile);
  if (tool === undefined) throw new Error(`The catalogue has no ${name}.`);
  const outcome = await gateway.dispatch({ ...call, tool });
  // The gateway has checked the answer against the output of this very tool.
  return outcome.ok ? { ok: true, value: JSON.parse(outcome.json) as TypesOf<Profile, Name>['output'] } : outcome;
}
