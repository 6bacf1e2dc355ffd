import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
};

export interface PeersSite extends AsyncDisposable {
  origin: string;
  /** What `/points.bin` is. */
  serve(points: Buffer): void;
}

/** The pages of the other maps (peers/), built as their users would, on a server of their own. */
export async function startPeersSite(): Promise<PeersSite> {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-peers-'));
  await build({
    root: join(import.meta.dirname, 'peers'),
    base: './',
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
  });
  let points: Buffer = Buffer.alloc(0);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://peers');
    const path = pathname === '/' ? '/index.html' : pathname;
    const body = path === '/points.bin' ? Promise.resolve(points) : readFile(join(folder, path));
    body.then(
      (bytes) => response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream').end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (next) => void (points = next),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}
