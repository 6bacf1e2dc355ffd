import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateSync } from 'node:zlib';

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
    send(response, draw(url));
  });
  const server = createServer(({ url = '' }, response) => {
    tiles.asked.push(url);
    answer[tiles.manners](response, url);
  });
  const [origin, otherOrigin] = await Promise.all([server, elsewhere].map(listening));
  const answer: Record<TileManners, (response: ServerResponse, url: string) => void> = {
    good: (response, url) => send(response, draw(url)),
    slow: (response, url) => void setTimeout(() => send(response, draw(url)), 1500),
    missing: (response) => response.writeHead(404).end(),
    failing: (response) => response.writeHead(500).end(),
    html: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>'),
    large: (response, url) => send(response, Buffer.concat([draw(url), Buffer.alloc(50 * 1024 * 1024)])),
    redirecting: (response, url) => response.writeHead(302, { location: `${otherOrigin}${url}` }).end(),
    'gone half way': (response, url) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': draw(url).length });
      response.write(draw(url).subarray(0, 64), () => response.socket?.destroy());
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

const SIZE = 256;
const DOT = 6;
/** Five rows of three dots each. */
const digits: Record<string, string> = {
  '0': '75557',
  '1': '26227',
  '2': '71747',
  '3': '71717',
  '4': '55711',
  '5': '74717',
  '6': '74757',
  '7': '71244',
  '8': '75757',
  '9': '75717',
  '/': '11244',
};
/** Two for the ground, one for the numbers, one for the border. */
const palette = [
  [207, 227, 210],
  [232, 220, 196],
  [32, 80, 96],
  [160, 176, 184],
];

/** The ground of two tiles beside each other, as a canvas has it, in order. */
export const tileColours = palette.slice(0, 2).map((colour) => `${colour.join()},255`);

/** A tile of one of two colours, by turns, with a border and its numbers. */
function draw(url: string): Buffer {
  const text = /(\d+\/\d+\/\d+)/.exec(url)?.[1] ?? '';
  const [, x = 0, y = 0] = text.split('/').map(Number);
  const rows = Buffer.alloc(SIZE * (SIZE + 1), (x + y) % 2);
  const set = (left: number, top: number, size: number, colour: number) => {
    for (let row = top; row < top + size; row += 1) {
      for (let column = left; column < left + size; column += 1) rows[row * (SIZE + 1) + column + 1] = colour;
    }
  };
  for (let at = 0; at < SIZE; at += 1) {
    set(at, 0, 1, 3);
    set(0, at, 1, 3);
  }
  const width = text.length * 4 * DOT;
  [...text].forEach((sign, index) => {
    [...(digits[sign] ?? '')].forEach((bits, row) => {
      for (let dot = 0; dot < 3; dot += 1) {
        if (Number(bits) & (4 >> dot)) {
          set(Math.floor((SIZE - width) / 2) + (index * 4 + dot) * DOT, 112 + row * DOT, DOT, 2);
        }
      }
    });
  });
  for (let row = 0; row < SIZE; row += 1) rows[row * (SIZE + 1)] = 0;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIZE, 0);
  head.writeUInt32BE(SIZE, 4);
  // eight bits, colours by their number
  head[8] = 8;
  head[9] = 3;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.flat())),
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
