import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

/** A tile server for tests: records its requests, and responds as the test defines. */
export interface TileServer extends AsyncDisposable {
  origin: string;
  template: string;
  asked: { path: string; headers: IncomingHttpHeaders }[];
  /** The number of requests without a response, now and the maximum. */
  open: number;
  most: number;
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Closes all connections and accepts no new ones. */
  stop(): Promise<void>;
}

export async function startTileServer(): Promise<TileServer> {
  const server = createServer((request, response) => {
    tiles.asked.push({ path: request.url!, headers: request.headers });
    tiles.open += 1;
    tiles.most = Math.max(tiles.most, tiles.open);
    response.once('close', () => (tiles.open -= 1));
    tiles.answer(request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const tiles: TileServer = {
    origin,
    template: `${origin}/{z}/{x}/{y}{r}.png`,
    asked: [],
    open: 0,
    most: 0,
    answer: (_, response) => sendTile(response),
    stop,
    [Symbol.asyncDispose]: stop,
  };
  return tiles;
}

export function sendTile(response: ServerResponse, headers: Record<string, string> = {}, bytes = png()): void {
  response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length, ...headers });
  response.end(bytes);
}

/** A grey image, with a comment of the given length. */
export function png({ grey = 128, comment = 0, size = 256 } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head[8] = 8;
  const rows = Buffer.alloc(size * (size + 1), grey);
  for (let row = 0; row < size; row += 1) rows[row * (size + 1)] = 0;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    chunk('IHDR', head),
    ...(comment ? [chunk('tEXt', Buffer.alloc(comment, 'x'))] : []),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
