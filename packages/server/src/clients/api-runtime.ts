import { type ApiResponse, runtime as published, type RequestOpts, type WithHeaders } from '@oazapfts/runtime';

export type { CustomHeaders, Defaults, RequestOpts } from '@oazapfts/runtime';

interface Runtime {
  readonly mergeHeaders: ReturnType<typeof published>['mergeHeaders'];
  readonly json: (opts: RequestOpts & { readonly body?: unknown }) => RequestOpts;
  readonly fetchJson: <T extends ApiResponse>(path: string, opts?: RequestOpts) => Promise<WithHeaders<T>>;
}

/** The runtime of the generated clients with other types: its own treat an undefined field as absent. */
export const runtime = published as unknown as (defaults: RequestOpts) => Runtime;
