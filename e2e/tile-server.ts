import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drawTile } from './tile-picture.ts';

/** What a tile server may do: as it should, or any of the ways in which one fails. */
export type TileManners =
  | 'good'
  | 'slow'
  | 'missing'
  | 'failing'
  | 'html'
  | 'large'
  | 'redirecting'
  | 'gone half way'
  | 'silent';

export interface TileServer {
  origin: string;
  template: string;
  manners: TileManners;
  /** Paths that were asked for. */
  asked: string[];
  /** What was asked of the other host, to which it redirects. */
  askedElsewhere: string[];
  close(): Promise<void>;
}

/** A tile server on this machine: plain tiles with their numbers on them, and another host beside it. */
export async function startTileServer(): Promise<TileServer> {
  const askedElsewhere: string[] = [];
  const elsewhere = createServer(({ url = '' }, response) => {
    askedElsewhere.push(url);
    send(response, drawTile(url));
  });
  const server = createServer(({ url = '' }, response) => {
    tiles.asked.push(url);
    answer[tiles.manners](response, url);
  });
  const [origin, otherOrigin] = await Promise.all([server, elsewhere].map(listening));
  const answer: Record<TileManners, (response: ServerResponse, url: string) => void> = {
    good: (response, url) => send(response, drawTile(url)),
    slow: (response, url) => void setTimeout(() => send(response, drawTile(url)), 1500),
    missing: (response) => response.writeHead(404).end(),
    failing: (response) => response.writeHead(500).end(),
    html: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>'),
    large: (response, url) => send(response, Buffer.concat([drawTile(url), Buffer.alloc(50 * 1024 * 1024)])),
    redirecting: (response, url) => response.writeHead(302, { location: `${otherOrigin}${url}` }).end(),
    'gone half way': (response, url) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': drawTile(url).length });
      response.write(drawTile(url).subarray(0, 64), () => response.socket?.destroy());
    },
    silent: () => undefined,
  };
  const tiles: TileServer = {
    origin: origin!,
    template: `${origin}/{z}/{x}/{y}.png`,
    manners: 'good',
    asked: [],
    askedElsewhere,
    async close() {
      await Promise.all([server, elsewhere].map(closed));
    },
  };
  return tiles;
}

function listening(server: ReturnType<typeof createServer>) {
  return new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function closed(server: ReturnType<typeof createServer>) {
  return new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function send(response: ServerResponse, bytes: Buffer) {
  response.writeHead(200, {
    'content-type': 'image/png',
    'content-length': bytes.length,
    'cache-control': 'max-age=86400',
  });
  response.end(bytes);
}
