import { describe, expect, it } from 'vitest';
import { createPasswordHash } from './password-hash.ts';

describe('the hash of a password', () => {
  it('verifies only its password in any Unicode normalization, and is salted', async () => {
    const { hash, verify } = createPasswordHash();
    const [one, two] = await Promise.all([hash('pässword'), hash('pässword')]);
    expect(one).not.toBe(two);
    expect(await verify({ hash: one, password: 'pa\u0308ssword' })).toBe(true);
    expect(await verify({ hash: one, password: 'password' })).toBe(false);
  });
});
