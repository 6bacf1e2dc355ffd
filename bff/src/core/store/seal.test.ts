import { describe, expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const secret = 'a secret of the tests, of 32 and more characters';
const text = 'swb_0123456789abcdefghijklmnopqrstuvwxyz';

describe('a seal', () => {
  const { seal, unseal } = createSeal([secret]);

  it('is opened by its owner, also after a restart', () => {
    const sealed = seal({ text, owner: 'ann' });
    expect(unseal({ sealed, owner: 'ann' })).toBe(text);
    expect(createSeal([secret]).unseal({ sealed, owner: 'ann' })).toBe(text);
  });

  it('is not opened by another user, with another secret, or after a changed bit', () => {
    const sealed = seal({ text, owner: 'ann' });
    expect(unseal({ sealed, owner: 'bob' })).toBeUndefined();
    expect(createSeal([`${secret}.`]).unseal({ sealed, owner: 'ann' })).toBeUndefined();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Uint8Array.from(sealed);
      changed[at]! ^= 1;
      expect(unseal({ sealed: changed, owner: 'ann' })).toBeUndefined();
    }
    for (const length of [0, 11, 12, 27, sealed.length - 1]) {
      expect(unseal({ sealed: sealed.slice(0, length), owner: 'ann' })).toBeUndefined();
    }
  });

  it('is different each time and does not contain the text', () => {
    const sealed = [seal({ text, owner: 'ann' }), seal({ text, owner: 'ann' })];
    expect(sealed[0]).not.toEqual(sealed[1]);
    for (const bytes of sealed) expect(Buffer.from(bytes).includes(text.slice(0, 4))).toBe(false);
  });
});
