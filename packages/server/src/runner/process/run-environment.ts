const NAMES = new Set(
  [
    ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TZ', 'TERM', 'TMPDIR'],
    ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
    ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ].flat(),
);
const FAMILIES = /^(LC|XDG)_[A-Z_]+$/;
const SECRETS = /(TOKEN|SECRET|KEY|PASSWORD|PASSWD|CREDENTIALS?|AUTH)$/;

/** The variables of this process that a run gets: those listed here, and those that its executor may have besides. */
export function runEnvironment(own: NodeJS.ProcessEnv, passes: readonly string[]): Record<string, string> {
  const allowed = (name: string) =>
    passes.includes(name) || NAMES.has(name) || (FAMILIES.test(name) && !SECRETS.test(name));

  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && allowed(name)) env[name] = value;
  }
  return env;
}
