/**
 * The built web app: its files are read into memory at start. Names under assets/ carry a hash of their
 * content and are kept for good by browsers; every other path that is not a file is the app itself.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Hono } from 'hono';
import { Problem } from './problem.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.bin': 'application/octet-stream',
};
const compressible = /^(text\/|application\/(json|manifest|octet-stream)|image\/svg)/;
const encoders = {
  br: (bytes: Buffer) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

type Encoding = keyof typeof encoders;

interface SiteFile {
  bytes: Buffer;
  type: string;
  /** Of `bytes`. */
  hash: string;
  cacheControl: string;
  /** Made when first asked for. */
  encoded: Map<Encoding, Promise<Buffer>>;
}

/** `folder`: the output of the web build. Throws when it is not there. */
export function createStaticSite({ folder }: { folder: string }): Hono {
  const files = new Map<string, SiteFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    // the build's manifest is for tests
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
    const file = files.get(c.req.path) ?? (isPage(c.req.path) ? app : undefined);
    if (!file) throw new Problem('route.not_found');
    const encoding = compressible.test(file.type) ? accepted(c.req.header('accept-encoding')) : undefined;
    // strong: the bytes of each encoding have a tag of their own (RFC 9110 8.8.3.3)
    const etag = `"${file.hash}${encoding ? `-${encoding}` : ''}"`;
    const headers = { etag, 'cache-control': file.cacheControl, vary: 'accept-encoding' };
    if (isHeld(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    const bytes = encoding ? await encode(file, encoding) : file.bytes;
    return c.body(new Uint8Array(bytes), 200, {
      ...headers,
      'content-type': file.type,
      ...(encoding && { 'content-encoding': encoding }),
    });
  });
}

/** Whoever meant an endpoint is not given a page: `//service/resources` is a slip in a program. */
function isPage(path: string): boolean {
  return !/^\/assets\/|\/\/|^\/(service|api|auth)(\/|$)/.test(path);
}

/** Compared weakly, as RFC 9110 13.1.2 says: a proxy that packs an answer makes its tag a weak one. */
function isHeld(header: string | undefined, etag: string): boolean {
  const held = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return held.includes(etag) || held.includes('*');
}

function readSiteFile(file: string, path: string): SiteFile {
  const bytes = readFileSync(file);
  return {
    bytes,
    type: types[extname(file)] ?? 'application/octet-stream',
    hash: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    cacheControl: path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    encoded: new Map(),
  };
}

function accepted(header = ''): Encoding | undefined {
  const offered = header.split(',').map((part) => part.trim().split(';'));
  const takes = (name: Encoding) => offered.some(([coding, quality]) => coding === name && quality?.trim() !== 'q=0');
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : undefined;
}

function encode(file: SiteFile, encoding: Encoding): Promise<Buffer> {
  const known = file.encoded.get(encoding) ?? encoders[encoding](file.bytes);
  file.encoded.set(encoding, known);
  return known;
}
