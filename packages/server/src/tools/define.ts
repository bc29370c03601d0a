import { z } from 'zod';
import type { Scope } from '#domain/scope';
import type { Services } from '#services/services';
import type { ReadWork, WriteWork } from '#services/work';

export type Effect = 'read' | 'create' | 'update' | 'delete';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type RouteFields<Route extends string> = Route extends `${string}{${infer Field}}${infer Rest}`
  ? Field | RouteFields<Rest>
  : never;

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'Any text of 1 to 200 characters that names this one operation. Repeating the call with the same key and arguments within 24 hours returns the first answer and changes nothing. After a timeout, retry with the same key.',
  );

/** How the command line spells a tool that is not `errand <profile> <tool>`. */
export interface CliShape {
  /** The words after `errand`: `token create`. */
  readonly command: string;
  /** Fields given by position. */
  readonly positionals?: readonly string[];
  /** Flags whose name is not the field's: `{ owner_id: 'owner' }`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Fields whose flag takes the path of a file to read. */
  readonly files?: readonly string[];
  /** Whether an answer counts as success for scripts: the command ends with 1 when it does not. */
  readonly succeeds?: (answer: Readonly<Record<string, unknown>>) => boolean;
  /** Fields that are paths: made absolute from the folder where the command was given. */
  readonly paths?: readonly string[];
}

interface Run<Input, E extends Effect> {
  readonly input: Input;
  readonly work: E extends 'read' ? ReadWork : WriteWork;
  readonly services: Services;
}

export interface Spec<
  Name extends string,
  E extends Effect,
  Route extends `${Method} /${string}`,
  In extends z.core.$ZodLooseShape,
  Out extends z.core.$ZodLooseShape,
> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly effect: E;
  /** Below `/api/v1`. A field in it that the input lacks does not compile. */
  readonly route: RouteFields<Route> extends keyof In ? Route : never;
  readonly input: z.ZodObject<In>;
  readonly output: z.ZodObject<Out>;
  /** The field that names the user whom the call is about; the gateway decides whether the caller may. */
  readonly subject?: keyof In & string;
  /** What the call changed, for the audit trail. */
  readonly entity?: (
    input: z.output<z.ZodObject<In>>,
    output: z.output<z.ZodObject<Out>>,
    subject: string,
  ) => { readonly kind: string; readonly id: string };
  /** The answer holds a secret. It is never kept, so such a tool takes no idempotency key. */
  readonly secret?: boolean;
  /** Repeating the call changes nothing more, even without a key. */
  readonly idempotent?: boolean;
  /** Shown to agents. Off for what people do over REST or the command line. */
  readonly mcp?: boolean;
  readonly cli?: CliShape;
  readonly run: (run: Run<z.output<z.ZodObject<In>>, E>) => Promise<z.input<z.ZodObject<Out>>>;
}

/** A tool as everything but its own file sees it. */
export interface Definition<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly scope: Scope;
  readonly effect: Effect;
  readonly route: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly subject: string | null;
  readonly entity:
    | ((input: never, output: never, subject: string) => { readonly kind: string; readonly id: string })
    | null;
  readonly idempotent: boolean;
  readonly mcp: boolean;
  readonly cli: CliShape | null;
  readonly run: (run: { readonly input: never; readonly work: never; readonly services: Services }) => Promise<unknown>;
  /** What goes in and comes out, for the typed client; never set. */
  readonly types?: { readonly input: Input; readonly output: Output };
}

type Keyed<E extends Effect, Input> = E extends 'read' ? Input : Input & { readonly idempotency_key?: string };

/** The one place where a tool is described: listing, REST, OpenAPI, command line, docs and client types follow from it. */
export function defineTool<
  const Name extends string,
  const E extends Effect,
  const Route extends `${Method} /${string}`,
  In extends z.core.$ZodLooseShape,
  Out extends z.core.$ZodLooseShape,
>(
  spec: Spec<Name, E, Route, In, Out>,
): Definition<Name, Keyed<E, z.input<z.ZodObject<In>>>, z.output<z.ZodObject<Out>>> {
  const keyless = spec.effect === 'read' || spec.secret === true;
  const input = keyless ? spec.input : spec.input.extend({ idempotency_key: IdempotencyKey.optional() });
  // The casts forget what only the tool's own file knows; the gateway hands `run` what `input` has parsed.
  return {
    name: spec.name,
    title: spec.title,
    description: spec.description,
    scope: spec.scope,
    effect: spec.effect,
    route: spec.route,
    input: input.strict() as unknown as z.ZodObject,
    output: spec.output as unknown as z.ZodObject,
    subject: spec.subject ?? null,
    entity: (spec.entity as Definition['entity'] | undefined) ?? null,
    idempotent: spec.idempotent ?? spec.effect === 'read',
    mcp: spec.mcp ?? true,
    cli: spec.cli ?? null,
    run: spec.run as Definition['run'],
  };
}
