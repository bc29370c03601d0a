import type { CallContext, InputRequired, ResourceContents, ResourcePart } from '#host';
import { InputNeeded } from '#input-needed';
import type { JsonObject } from '#json';
import type { Completer } from './completion.ts';
import { parseTemplate } from './uri-template.ts';

/** The contents of a resource: text, bytes, or several contents in the form of the protocol. */
export type Contents = string | Uint8Array | readonly JsonObject[];

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mime_type?: string;
}

export interface ResourceOptions<Caller> extends Described {
  readonly uri: string;
  readonly read: (call: CallContext<Caller>) => Contents | Promise<Contents>;
}

export interface TemplateOptions<Caller> extends Described {
  /** The template: `{name}` is one segment of the URI, `{+name}` may contain slashes. */
  readonly uri_template: string;
  /** Reads a resource; undefined when there is no such resource. */
  readonly read: (
    variables: Readonly<Record<string, string>>,
    call: CallContext<Caller>,
  ) => Contents | undefined | Promise<Contents | undefined>;
  /** Suggests values of variables, by name. */
  readonly complete?: Readonly<Record<string, Completer>>;
}

/** A resource, or many by one template, as the server serves them. */
export interface Resource<Caller> {
  /** Null for a template. */
  readonly uri: string | null;
  readonly listed: JsonObject;
  /** Reads the resource; undefined for the URI of another resource. */
  readonly read: (uri: string, call: CallContext<Caller>) => Promise<Contents | undefined> | undefined;
  readonly complete: Readonly<Record<string, Completer>>;
  /** The name that completion requests use. */
  readonly reference: string;
  readonly mime_type: string | undefined;
}

const listedAs = ({ name, title, description, mime_type }: Described): JsonObject => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(mime_type !== undefined && { mimeType: mime_type }),
});

/** Defines one resource. */
export const resource = <Caller = unknown>(options: ResourceOptions<Caller>): Resource<Caller> => ({
  uri: options.uri,
  listed: { uri: options.uri, ...listedAs(options) },
  read: async (_uri, call) => options.read(call),
  complete: {},
  reference: options.uri,
  mime_type: options.mime_type,
});

/** Defines resources whose URIs match a template. */
export function resourceTemplate<Caller = unknown>(options: TemplateOptions<Caller>): Resource<Caller> {
  const { match } = parseTemplate(options.uri_template);
  return {
    uri: null,
    listed: { uriTemplate: options.uri_template, ...listedAs(options) },
    read: (uri, call) => {
      const variables = match(uri);
      return variables === null ? undefined : Promise.resolve(options.read(variables, call));
    },
    complete: options.complete ?? {},
    reference: options.uri_template,
    mime_type: options.mime_type,
  };
}

/** Creates the resource part of a host. Resources with a fixed URI come first, then templates in their order. */
export function createResourcePart<Caller>(resources: readonly Resource<Caller>[]): ResourcePart<Caller> {
  const plain = new Map(resources.flatMap((entry) => (entry.uri === null ? [] : [[entry.uri, entry] as const])));
  const templates = resources.filter(({ uri }) => uri === null);
  const lists = {
    resources: [...plain.values()].map(({ listed }) => listed),
    templates: templates.map(({ listed }) => listed),
  };

  return {
    list: () => lists.resources,
    templates: () => lists.templates,
    read: (uri, call) => {
      const own = plain.get(uri);
      if (own !== undefined) return contentsOf(uri, own, own.read(uri, call));
      for (const template of templates) {
        const read = template.read(uri, call);
        if (read !== undefined) return contentsOf(uri, template, read);
      }
      return undefined;
    },
  };
}

async function contentsOf<Caller>(
  uri: string,
  { mime_type }: Resource<Caller>,
  reading: Promise<Contents | undefined> | undefined,
): Promise<ResourceContents | InputRequired | undefined> {
  try {
    const read = await reading;
    if (read === undefined) return undefined;
    if (typeof read !== 'string' && !(read instanceof Uint8Array)) return { kind: 'contents', contents: read };
    const type = mime_type === undefined ? {} : { mimeType: mime_type };
    const held = typeof read === 'string' ? { text: read } : { blob: Buffer.from(read).toString('base64') };
    return { kind: 'contents', contents: [{ uri, ...type, ...held }] };
  } catch (error) {
    if (error instanceof InputNeeded) return error.required;
    throw error;
  }
}
