import { crc32, deflateSync } from 'node:zlib';

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
/** Two colours for the ground, one for the numbers, one for the border. */
const palette = [
  [207, 227, 210],
  [232, 220, 196],
  [32, 80, 96],
  [160, 176, 184],
];

/** The ground colours of two adjacent tiles, as a canvas returns them, sorted. */
export const tileColours = palette.slice(0, 2).map((colour) => `${colour.join()},255`);

/** Draws a tile with its numbers and a border. Adjacent tiles alternate between two colours. */
export function drawTile(url: string): Buffer {
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
  // eight bits, indexed colours
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
