import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packNumbers, unpackNumbers } from './packed-numbers.ts';

it('reads the numbers that were written, in order, from an offset', () => {
  const numbers = fc.array(fc.record({ whole: fc.maxSafeNat(), signed: fc.integer() }));
  fc.assert(
    fc.property(fc.array(fc.nat(255)), numbers, (before, all) => {
      const bytes = [...before];
      const packed = packNumbers(bytes);
      for (const { whole, signed } of all) {
        packed.put(whole);
        packed.putSigned(signed);
      }
      const reader = unpackNumbers(new Uint8Array(bytes), before.length);
      expect(all.map(() => ({ whole: reader.next(), signed: reader.nextSigned() }))).toEqual(all);
      expect(reader.at()).toBe(bytes.length);
    }),
  );
});

it('packs small positive and negative numbers into one byte', () => {
  const bytes: number[] = [];
  const { put, putSigned } = packNumbers(bytes);
  put(127);
  putSigned(-64);
  putSigned(63);
  expect(bytes).toEqual([127, 127, 126]);
  put(128);
  expect(bytes).toEqual([127, 127, 126, 128, 1]);
});
