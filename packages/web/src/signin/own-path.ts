/** Only addresses of this server: a link of somebody else must not lead away after signing in. */
export function ownPath(path: string | undefined, origin: string): string {
  if (path === undefined || !path.startsWith('/') || !URL.canParse(path, origin)) return '/';
  return new URL(path, origin).origin === origin ? path : '/';
}
