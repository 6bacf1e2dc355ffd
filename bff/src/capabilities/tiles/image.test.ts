import { describe, expect, test } from 'vitest';
import { imageKind, largestSide, type ImageType } from './image.ts';
import { png } from './tile-server.fixture.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');

/** The headers of real images of 256 x 512 pixels, with a valid end. */
const pictures: Record<ImageType, Buffer> = {
  'image/png': png(),
  // Start, a table, a frame, the end marker.
  'image/jpeg': hex('ffd8 ffe0 0010 4a46494600010100000100010000 ffc0 0011 08 0200 0100 03 012200 021101 031101 ffd9'),
  'image/webp': hex('52494646 16000000 57454250 56503858 0a000000 00000000 ff0000 ff0100'),
};

describe.each(Object.entries(pictures) as [ImageType, Buffer][])('%s', (type, bytes) => {
  test('is recognised with its size', () => {
    expect(imageKind(bytes)).toBe(type);
    expect(largestSide(bytes, type)).toBe(type === 'image/png' ? 256 : 512);
  });

  test('is not recognised if it is truncated', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      const cut = bytes.subarray(0, length);
      // The bytes before the cut may look like an end marker.
      expect(imageKind(cut) && largestSide(cut, type), String(length)).toBeUndefined();
    }
  });
});

test.each([
  ['VP8', '52494646 16000000 57454250 56503820 0a000000 000000 9d012a 0001 0002 00000000', 512],
  ['VP8L', '52494646 16000000 57454250 5650384c 0a000000 2f ffc07f00 0000000000', 512],
])('the size of a WebP with a %s chunk is read', (_, bytes, side) => {
  expect(largestSide(hex(bytes), 'image/webp')).toBe(side);
});

test('an AVIF is no tile', () => {
  // A box that never ends: its size is 1, and its 64-bit size is 0.
  expect(imageKind(hex('00000001 66747970 61766966 00000000 00000000 00000000'))).toBeUndefined();
});

test('a JPEG with invalid segments is read only to its end', () => {
  expect(largestSide(hex('ffd8ff e0ffff 00'), 'image/jpeg')).toBeUndefined();
  expect(largestSide(Buffer.alloc(65_536, 0xff), 'image/jpeg')).toBeUndefined();
});
