import { type ApiResponse, runtime as published, type RequestOpts, type WithHeaders } from '@oazapfts/runtime';

export type { CustomHeaders, Defaults, RequestOpts } from '@oazapfts/runtime';

interface Runtime {
  readonly mergeHeaders: ReturnType<typeof published>['mergeHeaders'];
  readonly json: (opts: RequestOpts & { readonly body?: unknown }) => RequestOpts;
  readonly fetchJson: <T extends ApiResponse>(path: string, opts?: RequestOpts) => Promise<WithHeaders<T>>;
}

/** What generated clients run on, typed anew: its own types take a field that is undefined for one that is absent. */
export const runtime = published as unknown as (defaults: RequestOpts) => Runtime;
