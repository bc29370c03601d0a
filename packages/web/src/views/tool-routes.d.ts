/** The tools that a view may call, each with its place in the REST API: made from the catalogue by scripts/build-views.ts. */
declare module 'virtual:tool-routes' {
  export const routes: readonly import('./tool-fetch.ts').ToolRoute[];
}
