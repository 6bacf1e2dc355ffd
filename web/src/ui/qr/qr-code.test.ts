import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { qrPath } from './qr-code.tsx';

test('each run of dark cells is one rectangle', () => {
  expect(
    qrPath([
      [true, true, false],
      [false, false, true],
    ]),
  ).toBe('M0 0h2v1H0zM2 1h1v1H2z');
});

test('the path covers exactly the dark cells of a QR code', () => {
  const { data } = encode('https://deck.example/invite?to=quay-watch', { ecc: 'M', border: 0 });
  const cells = new Set<string>();
  for (const [, x = '', y = '', width = ''] of qrPath(data).matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at += 1) cells.add(`${at}/${y}`);
  }
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`${x}/${y}`] : [])));
  expect([...cells].toSorted()).toEqual(dark.toSorted());
});
