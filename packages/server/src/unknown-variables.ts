import { ErrandError } from '#errors';
import { closestName } from '#gateway/closest-name';
import { SETTINGS } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'ERRAND_';

/** Errand sets these for the agents that it starts; only they read them. */
const SET_FOR_AGENTS = ['ERRAND_AGENT_SESSION_ID'] as const;

const KNOWN: readonly string[] = [...Object.values(SETTINGS).map(({ variable }) => variable), ...SET_FOR_AGENTS].filter(
  (name) => name.startsWith(PREFIX),
);

// Kubernetes and Docker set these in every container for a service whose name begins with `errand`.
const SERVICE_LINK = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;
const isServiceLink = (name: string, value: string): boolean =>
  SERVICE_LINK.test(name) || (name.endsWith('_PORT') && /^(?:tcp|udp|sctp):\/\//.test(value));

/** Suggests a setting with a similar name. */
function likeness(name: string): string {
  const meant = closestName(name, KNOWN);
  return meant === null ? '' : ` Did you mean ${meant}?`;
}

/** Refuses an ERRAND_ variable that is no setting: if it were ignored, it would silently not work. */
export function assertKnownVariables(env: Environment): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === '' || KNOWN.includes(name) || isServiceLink(name, value)) continue;
    throw new ErrandError(
      'validation_error',
      `${name}: Errand has no such setting.${likeness(name)} Rename the variable or unset it.`,
    );
  }
}
