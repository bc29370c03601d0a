import { visible } from '#domain/visible-text';

/** How much of an answer is read: it may be long, and each character takes time. */
const MAX_READ = 8_000;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Decodes every percent-encoded character. */
const decoded = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16)));

/** Removes a server's key and address from a text, in any case or encoding. */
export function createRedaction({ api_key, base_url }: { readonly api_key: string; readonly base_url: string }) {
  const { host, hostname } = new URL(base_url);
  const secrets = [api_key, base_url].flatMap((secret) => [secret, encodeURIComponent(secret)]);
  // A host can be a word such as "plane": inside another word it does not count.
  const hosts = [host, hostname, encodeURIComponent(host)].map(
    (name) => String.raw`(?<![\p{L}\p{N}])${escaped(name)}(?![\p{L}\p{N}])`,
  );
  const pattern = [...secrets.map(escaped), ...hosts].join('|');
  const every = new RegExp(pattern, 'giu');
  const any = new RegExp(pattern, 'iu');
  const longest = 3 * Math.max(...secrets.map(({ length }) => length));

  return (text: string): string => {
    // First remove invisible characters: inside a secret, they would hide it until they are removed later.
    const words = visible(text.slice(0, MAX_READ)).replaceAll(every, '…');
    if (any.test(decoded(words))) return '…';
    // The cut may have left half a secret.
    return text.length > MAX_READ ? words.slice(0, Math.max(0, words.length - longest)) : words;
  };
}
