import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { createPasswordHash } from './password-hash.ts';

describe('the hash of a password', () => {
  it('verifies only its password in any Unicode normalization, and is salted', async () => {
    const { hash, verify } = createPasswordHash();
    const [one, two] = await Promise.all([hash('pässword'), hash('pässword')]);
    expect(one).not.toBe(two);
    expect(await verify({ hash: one, password: 'pa\u0308ssword' })).toBe(true);
    expect(await verify({ hash: one, password: 'password' })).toBe(false);
  });

  it('has the cost and the form of all versions, so that stored ones stay valid', async () => {
    const scrypt = vi.spyOn(crypto, 'scrypt');
    syncBuiltinESMExports();
    const stored = await createPasswordHash().hash('a good password');
    const [password, salt, length, cost] = scrypt.mock.calls[0]!;
    scrypt.mockRestore();
    syncBuiltinESMExports();
    expect({ password, length, cost }).toMatchObject({
      ...{ password: 'a good password', length: 64 },
      cost: { N: 16_384, r: 16, p: 1 },
    });
    expect(stored).toMatch(new RegExp(`^${salt as string}:[0-9a-f]{128}$`));
  });
});
