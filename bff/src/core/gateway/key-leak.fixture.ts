import { createHash } from 'node:crypto';

/** Data that must not contain a key: a response body, its headers, a log line, a file. */
export interface Evidence {
  place: string;
  bytes: Uint8Array;
  /** The database, which is allowed to contain the digest of each key. */
  storesDigest?: boolean;
}

interface Leak {
  place: string;
  form: string;
}

interface Form {
  form: string;
  needle: Buffer;
  digest?: boolean;
}

/**
 * Searches for a key in all forms in which it could leak: in plain text, without its prefix, reversed, in base64 at
 * each of three offsets, in hex, URL-encoded, escaped, in UTF-16, and as its digest.
 */
export function findLeaks({ key, evidence }: { key: string; evidence: readonly Evidence[] }): Leak[] {
  const forms = formsOf(key);
  return evidence.flatMap(({ place, bytes, storesDigest = false }) => {
    const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return forms
      .filter(({ needle, digest = false }) => !(digest && storesDigest) && haystack.includes(needle))
      .map(({ form }) => ({ place, form }));
  });
}

function formsOf(key: string): Form[] {
  const bytes = Buffer.from(key);
  const digest = createHash('sha256').update(key).digest();
  const hex = bytes.toString('hex');
  const digestHex = digest.toString('hex');
  const each = (escape: (code: string) => string) => [...bytes].map((byte) => escape(byte.toString(16))).join('');
  const texts: Record<string, string> = {
    'in plain text': key,
    'without its prefix': key.slice(key.indexOf('_') + 1),
    backwards: [...key].toReversed().join(''),
    'in lower case': key.toLowerCase(),
    'in upper case': key.toUpperCase(),
    'in hex': hex,
    'in upper case hex': hex.toUpperCase(),
    'URL-encoded': each((code) => `%${code.toUpperCase()}`),
    'URL-encoded in lower case': each((code) => `%${code}`),
    'in JSON escapes': each((code) => `\\u${code.padStart(4, '0')}`),
    'its digest in hex': digestHex,
    'its digest in upper case hex': digestHex.toUpperCase(),
    'its digest in base64': digest.toString('base64').replace('=', ''),
    'its digest in base64url': digest.toString('base64url'),
  };
  const aligned = [0, 1, 2].flatMap((offset) => [
    { form: `in base64, ${offset} bytes into something`, needle: Buffer.from(base64At(bytes, offset)) },
    { form: `in base64url, ${offset} bytes into something`, needle: Buffer.from(urlSafe(base64At(bytes, offset))) },
  ]);
  return [
    ...Object.entries(texts).map(([form, text]) => ({ form, needle: Buffer.from(text) })),
    ...aligned,
    { form: 'in UTF-16', needle: Buffer.from(key, 'utf16le') },
    { form: 'its digest', needle: digest, digest: true },
  ];
}

/** The base64 characters that depend only on these bytes, if they start at `offset` in a text. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}
