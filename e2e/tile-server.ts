import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drawTile } from './tile-picture.ts';

/** How the tile server behaves: correctly, or in one of the ways in which such servers fail. */
export type TileBehaviour = 'good' | 'slow' | 'missing' | 'failing' | 'silent';

export interface TileServer {
  origin: string;
  template: string;
  behaviour: TileBehaviour;
  /** The requested paths. */
  requests: string[];
  close(): Promise<void>;
}

/** A local tile server with numbered tiles. */
export async function startTileServer(): Promise<TileServer> {
  const server = createServer(({ url = '' }, response) => {
    tiles.requests.push(url);
    answer[tiles.behaviour](response, url);
  });
  const origin = await listening(server);
  const answer: Record<TileBehaviour, (response: ServerResponse, url: string) => void> = {
    good: (response, url) => send(response, drawTile(url)),
    slow: (response, url) => void setTimeout(() => send(response, drawTile(url)), 1500),
    missing: (response) => response.writeHead(404).end(),
    failing: (response) => response.writeHead(500).end(),
    silent: () => undefined,
  };
  const tiles: TileServer = {
    origin,
    template: `${origin}/{z}/{x}/{y}.png`,
    behaviour: 'good',
    requests: [],
    close: () => closed(server),
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
