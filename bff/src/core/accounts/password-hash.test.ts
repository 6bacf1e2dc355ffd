import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { createPasswordHash } from './password-hash.ts';

describe('the hash of a password', () => {
  it('verifies only its password in any Unicode normalization, and is salted', async () => {
    const { hash, verify } = createPasswordHash();
    const requestedBy = '192.0.2.1';
    const [one, two] = await Promise.all([
      hash({ password: 'pässword', requestedBy }),
      hash({ password: 'pässword', requestedBy }),
    ]);
    expect(one).not.toBe(two);
    expect(await verify({ hash: one, password: 'pa\u0308ssword', requestedBy })).toBe(true);
    expect(await verify({ hash: one, password: 'password', requestedBy })).toBe(false);
  });

  it('has the cost and the form of all versions, so that stored ones stay valid', async () => {
    const scrypt = vi.spyOn(crypto, 'scrypt');
    syncBuiltinESMExports();
    const stored = await createPasswordHash().hash({ password: 'a good password', requestedBy: 'ann' });
    const [password, salt, length, cost] = scrypt.mock.calls[0]!;
    scrypt.mockRestore();
    syncBuiltinESMExports();
    expect({ password, length, cost }).toMatchObject({
      password: 'a good password',
      length: 64,
      cost: { N: 16_384, r: 16, p: 1 },
    });
    expect(stored).toMatch(new RegExp(`^${salt as string}:[0-9a-f]{128}$`));
  });

  it('takes turns: who sends many passwords keeps the others waiting for one at a time', async () => {
    const { hash } = createPasswordHash();
    const order: string[] = [];
    const note = (requestedBy: string) =>
      hash({ password: 'a good password', requestedBy }).then(() => order.push(requestedBy));
    const flood = Array.from({ length: 20 }, () => note('203.0.113.9'));
    await Promise.all([note('192.0.2.1'), note('192.0.2.2')]);
    // Three are hashed at a time.
    expect(order.filter((requestedBy) => requestedBy === '203.0.113.9').length).toBeLessThanOrEqual(6);
    await expect(Promise.all(Array.from({ length: 20 }, () => note('203.0.113.9')))).rejects.toMatchObject({
      code: 'service.away',
    });
    await Promise.all(flood);
  });
});
