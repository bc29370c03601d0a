import { z } from 'zod';
import { PROJECT_SCOPES, type Scope } from '#domain/scope';
import { hasCredential } from '#domain/text';
import type { Services } from '#services/services';
import type { ReadWork, TrackerWork, WriteWork } from '#services/work';
import type { TaskManager } from './task-manager.ts';

/** The views that a chat can show: pages of the web board in one file each. */
export type ViewName = 'board' | 'task';

export type Effect = 'read' | 'create' | 'update' | 'delete';

/** Scopes that are not granted per project, but show data of the projects within reach. */
const REACHING: ReadonlySet<Scope> = new Set<Scope>(['workspace:read', 'execution:report']);

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type RouteFields<Route extends string> = Route extends `${string}{${infer Field}}${infer Rest}`
  ? Field | RouteFields<Rest>
  : never;

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .refine((key) => !hasCredential(key), 'must not be a token: it is written down')
  .describe('Your name for this call: retried with it, it is done once.');

/** The fields of a paged list. */
export interface Walk {
  /** The field of the answer that holds the rows. */
  readonly rows: string;
  /** The field of the answer that holds the next cursor, and the argument that takes it. */
  readonly next: string;
  readonly from: string;
  /** The field that comes with the last part, printed as the last line. */
  readonly last: string;
}

/** The command of a tool when it is not `errand <profile> <tool>`. */
export interface CliShape {
  /** The words after `errand`: `token create`. */
  readonly command: string;
  /** Fields given by position. */
  readonly positionals?: readonly string[];
  /** Flags whose name is not the field's: `{ owner_id: 'owner' }`. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Fields whose flag takes the path of a file to read. */
  readonly files?: readonly string[];
  /** Fields that are read from stdin, or typed without being shown: others on the machine see arguments. */
  readonly typed?: readonly string[];
  /** Whether an answer counts as success for scripts. If not, the command exits with 1. */
  readonly succeeds?: (answer: Readonly<Record<string, unknown>>) => boolean;
  /** A paged list: the command gets all pages and prints each row as a line of JSON. */
  readonly walk?: Walk;
  /** Fields that hold paths. They are resolved from the folder in which the command runs. */
  readonly paths?: readonly string[];
}

/** What a call has started: a run, several runs, a follow-up that waits to become one, or a question. */
export type Followed =
  | { readonly execution_id: string }
  | { readonly execution_ids: readonly string[] }
  | { readonly queued_id: string; readonly session_id: string }
  | { readonly approval_id: string };

type Key = 'optional' | 'required';

interface Run<Input, E extends Effect, Outside extends boolean, Prepared = unknown> {
  readonly input: Input;
  readonly work: E extends 'read' ? ReadWork : Outside extends true ? TrackerWork : WriteWork;
  readonly services: Services;
  /** The value that `prepare` has returned. */
  readonly prepared: Prepared;
}

/** Whether a tool waits outside of transactions: for a tracker elsewhere, or for a worker or a person. */
type Either<Tracker extends boolean, Outside extends boolean> = Tracker extends true ? true : Outside;

export interface Spec<
  Name extends string,
  E extends Effect,
  Route extends `${Method} /${string}`,
  In extends z.core.$ZodLooseShape,
  Out extends z.core.$ZodLooseShape,
  K extends Key = Key,
  Tracker extends boolean = boolean,
  Message extends string | undefined = string | undefined,
  Outside extends boolean = boolean,
  Prepared = unknown,
> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  /** One scope, or several that are all needed. */
  readonly scope: Scope | readonly [Scope, ...Scope[]];
  /** Callers within an attempt need this scope instead of `scope`. */
  readonly for_attempts?: Scope;
  /** Further scopes that a call needs when it has these fields. */
  readonly field_scopes?: Partial<Readonly<Record<keyof In & string, Scope>>>;
  readonly effect: E;
  /** Below `/api/v1`. A field in it that the input lacks does not compile. */
  readonly route: RouteFields<Route> extends keyof In ? Route : never;
  readonly input: z.ZodObject<In>;
  readonly output: z.ZodObject<Out>;
  /** The field with the user of the call. The gateway decides whether the caller may act for that user. */
  readonly subject?: keyof In & string;
  /**
   * The event that listeners get: that of the effect unless given. `updated` where the effect is on a part of the entity,
   * as a comment creates no card; `own` where the service emits it, with more than ids.
   */
  readonly event?: 'updated' | 'own';
  /** The changed thing, for the audit trail; null for none. */
  readonly entity?: (
    input: z.output<z.ZodObject<In>>,
    output: z.output<z.ZodObject<Out>>,
    subject: string,
  ) => { readonly kind: string; readonly id: string } | null;
  /** The answer or the arguments hold a secret. They are never kept, so such a tool takes no idempotency key. */
  readonly secret?: boolean;
  /** The field with the project of the call. The gateway decides whether the caller reaches it. */
  readonly project?: keyof In & string;
  /**
   * The field with what the call is confined to: the user of a todo list, a project, a task or a run. Calls in different
   * projects then do not wait for each other. The tool reads and writes nothing that another project writes.
   */
  readonly lane?: keyof In & string;
  /** Fields with which the call changes more than its project. */
  readonly beyond_lane?: readonly (keyof In & string)[];
  /** Whether writes must come with an idempotency key; optional unless given. */
  readonly key?: K;
  /** Works on the tracker. When that is another system, the call does not run inside a transaction. */
  readonly tracker?: Tracker;
  /** Waits outside of transactions, as for a tracker elsewhere: `run` gets `TrackerWork`. */
  readonly outside?: Outside;
  /** Read before the transaction of a write begins; `run` gets it as `prepared`. */
  readonly prepare?: (run: {
    readonly input: z.output<z.ZodObject<In>>;
    readonly work: ReadWork;
    readonly services: Services;
  }) => Promise<Prepared>;
  /** Repeating the call changes nothing more, even without a key. */
  readonly idempotent?: boolean;
  /** Removes something that cannot be brought back, though the effect is not to delete the entity. */
  readonly destructive?: boolean;
  /** Starts an agent, which is a program that can do anything. */
  readonly open_world?: boolean;
  /** Only callers within an attempt see this tool. */
  readonly bound?: boolean;
  /** Fields that null clears, like an empty text. For other optional fields null means "not given". */
  readonly null_clears?: readonly (keyof In & string)[];
  /** Other accepted names of fields, which are never shown: `{ workspace_id: 'attempt_id' }`. */
  readonly synonyms?: Readonly<Record<string, keyof In & string>>;
  /** The run that continues after the answer, or the follow-up that will become one. An MCP task ends when it ends. */
  readonly follows?: (output: z.output<z.ZodObject<Out>>) => Followed | null;
  /** Arguments that a call as an MCP task has instead: the task waits, not the call. */
  readonly as_task?: Partial<z.input<z.ZodObject<In>>>;
  /** Agents get the answer as `{success, message, data}` with this message, and failures in the same form. */
  readonly envelope?: Message;
  /** Throws when the caller may no longer make this call. Called before a stored answer is repeated. */
  readonly recheck?: (
    run: Omit<Run<z.output<z.ZodObject<In>>, E, Either<Tracker, Outside>>, 'prepared'>,
  ) => Promise<void>;
  /** Refuses arguments with the contract's exact message, before any other check. */
  readonly precheck?: (input: Readonly<Record<string, unknown>>) => void;
  /**
   * Whether agents see the tool. False for what only people do, through REST or the command line; `views` for what the
   * views in a chat (`view`) read too: their hosts see the tool, the models do not.
   */
  readonly mcp?: boolean | 'views';
  /** The view that shows the answer in a chat, where the host can show one. */
  readonly view?: ViewName;
  /** `tools/list` describes every field of the answer, although it has many: other answers with many fields only name them. */
  readonly describes_fields?: boolean;
  /** Clients that defer tools load this one at once. */
  readonly always_load?: boolean;
  /**
   * The answer follows from the caller, the arguments and the rows of our store alone, and not from the time: it is kept
   * until something is written.
   */
  readonly steady?: boolean;
  readonly cli?: CliShape;
  /** The same call on a Task Manager that is elsewhere. */
  readonly report?: (input: z.output<z.ZodObject<In>>, manager: TaskManager) => Promise<object>;
  readonly run: (
    run: Run<z.output<z.ZodObject<In>>, E, Either<Tracker, Outside>, Prepared>,
  ) => Promise<z.input<z.ZodObject<Out>>>;
}

/** A tool as the rest of the program sees it. */
export interface Definition<Name extends string = string, Input = unknown, Output = unknown> {
  readonly name: Name;
  readonly title: string;
  readonly description: string;
  readonly scopes: readonly Scope[];
  /** The scope that callers within an attempt need instead; null for the same. */
  readonly for_attempts: Scope | null;
  readonly field_scopes: Readonly<Record<string, Scope>>;
  readonly effect: Effect;
  readonly route: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly subject: string | null;
  readonly project: string | null;
  /** The field with what the call is confined to; null when it is not. */
  readonly lane: string | null;
  readonly beyond_lane: readonly string[];
  /** Whether its answer depends on the projects within the caller's reach. */
  readonly by_project: boolean;
  readonly needs_key: boolean;
  readonly tracker: boolean;
  readonly outside: boolean;
  readonly prepare:
    | ((run: { readonly input: never; readonly work: ReadWork; readonly services: Services }) => Promise<unknown>)
    | null;
  readonly event: 'updated' | 'own' | null;
  readonly entity:
    | ((input: never, output: never, subject: string) => { readonly kind: string; readonly id: string } | null)
    | null;
  readonly idempotent: boolean;
  readonly destructive: boolean;
  readonly open_world: boolean;
  readonly bound: boolean;
  readonly null_clears: readonly string[];
  readonly synonyms: Readonly<Record<string, string>>;
  readonly follows: ((output: never) => Followed | null) | null;
  readonly as_task: Readonly<Record<string, unknown>>;
  readonly envelope: string | null;
  readonly recheck:
    | ((run: { readonly input: never; readonly work: never; readonly services: Services }) => Promise<void>)
    | null;
  readonly precheck: ((input: Readonly<Record<string, unknown>>) => void) | null;
  /** The call on a Task Manager that may be elsewhere; null for tools that need the store. */
  readonly report: ((input: never, manager: TaskManager) => Promise<object>) | null;
  readonly mcp: boolean;
  /** Whether the views in a chat may call it, although agents do not see it. */
  readonly for_views: boolean;
  readonly view: ViewName | null;
  readonly describes_fields: boolean;
  readonly always_load: boolean;
  readonly steady: boolean;
  readonly cli: CliShape | null;
  readonly run: (run: {
    readonly input: never;
    readonly work: never;
    readonly services: Services;
    readonly prepared: never;
  }) => Promise<unknown>;
  /** Types of input and output for the typed client; never set at run time. */
  readonly types?: { readonly input: Input; readonly output: Output };
}

type Keyed<E extends Effect, K extends Key, Input> = E extends 'read'
  ? Input
  : Input & (K extends 'required' ? { readonly idempotency_key: string } : { readonly idempotency_key?: string });

type Enveloped<Message, Output> = Message extends string
  ? { readonly success: true; readonly message: string; readonly data: Output }
  : Output;

/** The one place where a tool is described: listing, REST, OpenAPI, command line, docs and client types follow from it. */
export function defineTool<
  const Name extends string,
  const E extends Effect,
  const Route extends `${Method} /${string}`,
  In extends z.core.$ZodLooseShape,
  Out extends z.core.$ZodLooseShape,
  const K extends Key = 'optional',
  const Tracker extends boolean = false,
  Message extends string | undefined = undefined,
  const Outside extends boolean = false,
  Prepared = undefined,
>(
  spec: Spec<Name, E, Route, In, Out, K, Tracker, Message, Outside, Prepared>,
): Definition<Name, Keyed<E, K, z.input<z.ZodObject<In>>>, Enveloped<Message, z.output<z.ZodObject<Out>>>> {
  const keyless = spec.effect === 'read' || spec.secret === true;
  const needs_key = !keyless && spec.key === 'required';
  const key = needs_key ? IdempotencyKey : IdempotencyKey.optional();
  const input = keyless ? spec.input : spec.input.extend({ idempotency_key: key });
  const scopes = typeof spec.scope === 'string' ? [spec.scope] : spec.scope;
  // The casts drop the tool's own types. The gateway passes `run` only what `input` has parsed.
  return {
    name: spec.name,
    title: spec.title,
    description: spec.description,
    scopes,
    for_attempts: spec.for_attempts ?? null,
    field_scopes: (spec.field_scopes ?? {}) as Definition['field_scopes'],
    effect: spec.effect,
    route: spec.route,
    input: input.strict() as unknown as z.ZodObject,
    output: spec.output as unknown as z.ZodObject,
    subject: spec.subject ?? null,
    project: spec.project ?? null,
    lane: spec.lane ?? null,
    beyond_lane: spec.beyond_lane ?? [],
    by_project: scopes.some((scope) => PROJECT_SCOPES.has(scope) || REACHING.has(scope)),
    needs_key,
    tracker: spec.tracker ?? false,
    outside: spec.outside ?? false,
    prepare: (spec.prepare as Definition['prepare'] | undefined) ?? null,
    event: spec.event ?? null,
    entity: (spec.entity as Definition['entity'] | undefined) ?? null,
    idempotent: spec.idempotent ?? spec.effect === 'read',
    destructive: spec.destructive ?? spec.effect === 'delete',
    open_world: spec.open_world ?? false,
    bound: spec.bound ?? false,
    null_clears: spec.null_clears ?? [],
    synonyms: spec.synonyms ?? {},
    follows: (spec.follows as Definition['follows'] | undefined) ?? null,
    as_task: spec.as_task ?? {},
    envelope: spec.envelope ?? null,
    recheck: (spec.recheck as Definition['recheck'] | undefined) ?? null,
    precheck: spec.precheck ?? null,
    report: (spec.report as Definition['report'] | undefined) ?? null,
    mcp: (spec.mcp ?? true) === true,
    for_views: spec.mcp === 'views',
    view: spec.view ?? null,
    describes_fields: spec.describes_fields ?? false,
    always_load: spec.always_load ?? false,
    steady: spec.steady ?? false,
    cli: spec.cli ?? null,
    run: spec.run as Definition['run'],
  };
}
