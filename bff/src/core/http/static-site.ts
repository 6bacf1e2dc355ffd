/**
 * Serves the built web app from memory. Files in assets/ have a content hash in their names and are cached forever by
 * browsers; the paths of its pages serve the app, and so does an unknown one that a browser opens, which is not found.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Hono } from 'hono';
import { getMimeType } from 'hono/utils/mime';
import { madeLink, pagePaths } from '../limits/first-rules.ts';
import { prefers } from './accept.ts';
import { noneMatch } from './etag.ts';
import { Problem } from '../problem.ts';
import { bindingsOf } from './request-bindings.ts';

const compressible = /^(text\/|application\/(json|manifest|octet-stream)|image\/svg)/;
const encoders = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

/** The page of people without an account, whom somebody sent a link. It is nobody's to find, and says nobody where they came from. */
const guestPath = /^\/view\/?$/;
const guestHeaders = { 'x-robots-tag': 'noindex, nofollow', 'referrer-policy': 'no-referrer' };

/** As in the app: a slash may follow, and the case is not compared. */
const pagePath = new RegExp(
  `^(?:${pagePaths.map((path) => path.replace(/^\/$/, '').replaceAll(/:\w+/g, '[^/]+')).join('|')})/?$`,
  'i',
);
/** The path and the query of an address. The `Host` may make it invalid for `URL`. */
const targetIn = /^\w+:\/\/[^/?#]*(.*)/;

/** The codings of an Accept-Encoding header that are read. Browsers send five. */
const codingsAtMost = 20;

type Encoding = keyof typeof encoders;

interface SiteFile {
  bytes: Buffer<ArrayBuffer>;
  type: string;
  /** The hash of `bytes`. */
  hash: string;
  cacheControl: string;
  /** Compressed on first use. */
  encoded: Map<Encoding, Promise<Buffer<ArrayBuffer>>>;
}

/** `folder`: the output of the web build. Throws if it does not exist. */
export function createStaticSite({ folder }: { folder: string }): Hono {
  const files = new Map<string, SiteFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    // The manifest of the build is for tests only.
    if (!entry.isFile() || file.includes(`${sep}.vite${sep}`)) continue;
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    files.set(path, readSiteFile(file, path));
  }
  const app = files.get('/index.html');
  if (!app) throw new Error(`${folder} has no index.html: the web app is not built`);

  return new Hono().all('*', async (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      throw new Problem('route.method_not_allowed', { headers: { allow: 'GET, HEAD' } });
    }
    const { outgoing } = bindingsOf(c);
    const link = madeLink(targetIn.exec(c.req.url)?.[1] ?? '');
    if (link !== undefined) {
      if (outgoing) outgoing.operation = 'site';
      return c.body(null, 302, { ...guestHeaders, location: link, 'cache-control': 'no-store' });
    }
    const { path } = c.req;
    const found = files.get(path) ?? (pagePath.test(path) ? app : undefined);
    const isShown = mayBePage(path) && prefers(c.req.header('accept'), 'text/html');
    const file = found ?? (isShown ? app : undefined);
    if (!file) throw new Problem('route.not_found');
    if (outgoing) outgoing.operation = 'site';
    const encoding = compressible.test(file.type) ? accepted(c.req.header('accept-encoding')) : undefined;
    // A strong ETag, different for each encoding (RFC 9110 8.8.3.3). Not with a hyphen, as proxies add theirs (etag.ts).
    const etag = `"${file.hash}${encoding ? `.${encoding}` : ''}"`;
    const headers = {
      etag,
      'cache-control': found ? file.cacheControl : 'no-store',
      vary: 'accept-encoding',
      ...(guestPath.test(path) && guestHeaders),
    };
    if (found && !noneMatch(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    const bytes = encoding ? await encode(file, encoding) : file.bytes;
    return c.body(bytes, found ? 200 : 404, {
      ...headers,
      'content-type': file.type,
      ...(encoding && { 'content-encoding': encoding }),
    });
  });
}

/** Paths that look like an endpoint are not pages: `//service/resources` is an error of a client. */
function mayBePage(path: string): boolean {
  return !/^\/assets\/|\/\/|^\/(service|api|auth|guest)(\/|$)/.test(path);
}

function readSiteFile(file: string, path: string): SiteFile {
  const bytes = readFileSync(file);
  return {
    bytes,
    type: getMimeType(file) ?? 'application/octet-stream',
    hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    cacheControl: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    encoded: new Map(),
  };
}

function accepted(header = ''): Encoding | undefined {
  const offered = header.split(',', codingsAtMost).map((part) => part.trim().split(';'));
  const takes = (name: Encoding) => offered.some(([coding, quality]) => coding === name && quality?.trim() !== 'q=0');
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : undefined;
}

function encode(file: SiteFile, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const known = file.encoded.get(encoding) ?? encoders[encoding](file.bytes);
  file.encoded.set(encoding, known);
  return known;
}
