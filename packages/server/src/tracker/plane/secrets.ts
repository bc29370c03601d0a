import { visible } from '#domain/visible-text';

/** Read at most: what a server answers may be long, and each sign of it costs time. */
const MAX_READ = 8_000;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** With every sign that stands in percent form written out. */
const decoded = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16)));

/** Takes the key and the address of a server out of words, in whatever case or encoding they stand there. */
export function createRedaction({ api_key, base_url }: { readonly api_key: string; readonly base_url: string }) {
  const { host, hostname } = new URL(base_url);
  const secrets = [api_key, base_url].flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // A host can be a word such as "plane": within another word it is none.
  const hosts = [host, hostname, encodeURIComponent(host)].map(
    (name) => String.raw`(?<![\p{L}\p{N}])${escaped(name)}(?![\p{L}\p{N}])`,
  );
  const pattern = [...secrets.map(escaped), ...hosts].join('|');
  const every = new RegExp(pattern, 'giu');
  const any = new RegExp(pattern, 'iu');
  const longest = 3 * Math.max(...secrets.map(({ length }) => length));

  return (text: string): string => {
    // Invisible characters first: in the midst of a secret, they would hide it until they are taken out later.
    const words = visible(text.slice(0, MAX_READ)).replaceAll(every, '…');
    if (any.test(decoded(words))) return '…';
    // A cut may have left half a secret.
    return text.length > MAX_READ ? words.slice(0, Math.max(0, words.length - longest)) : words;
  };
}
