import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createKeyTable, secret, type KeyTable } from './gateway-keys.fixture.ts';
import { createGatewayKeys, gatewayKeyLifeMs, oldKeyLifeMs, type GatewayKeys } from './gateway-keys.store.ts';

let table: KeyTable;
let gatewayKeys: GatewayKeys;
/** With empty caches, as after a restart. */
const restarted = (withSecret = secret) =>
  createGatewayKeys({ db: table.db, feed: table.feed, secrets: [withSecret], now: table.now, mint: table.mint });

/** The key of a user. */
const keyOf = async (userName: string, keys = gatewayKeys) => (await keys.keyFor(userName)).key;

beforeAll(async () => {
  table = await createKeyTable();
});
afterAll(() => table[Symbol.asyncDispose]());
beforeEach(async () => {
  await table.clear();
  await table.addUser('ann');
  gatewayKeys = restarted();
});

describe('the gateway key of a user', () => {
  it('is created when it is first needed, and cached from then on', async () => {
    expect(table.minted).toBe(0);
    const key = await keyOf('ann');
    expect(await table.opens(key)).toBe(true);
    expect(gatewayKeys.keyFor('ann')).toMatchObject({ key });
    expect(table.minted).toBe(1);
  });

  it('is the same after a restart', async () => {
    const key = await keyOf('ann');
    expect(await keyOf('ann', restarted())).toBe(key);
    expect(table.minted).toBe(1);
  });

  it('is created once for concurrent requests', async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, async () => keyOf('ann')));
    expect(new Set(keys).size).toBe(1);
    expect(table.minted).toBe(1);
  });

  it('is one valid key also if two processes create it at once', async () => {
    const other = restarted();
    await Promise.all([keyOf('ann'), keyOf('ann', other)]);
    table.wait(oldKeyLifeMs);
    const keys = [await keyOf('ann'), await keyOf('ann', other)];
    expect(new Set(keys).size).toBe(1);
    expect(await table.opens(keys[0]!)).toBe(true);
  });

  it('is stored only encrypted', async () => {
    const key = await keyOf('ann');
    const { sealed } = (
      await table.db.read<{ sealed: Uint8Array }>({ sql: "SELECT sealed FROM held_keys WHERE user_id = 'ann'" })
    )[0]!;
    expect(sealed.length).toBe(12 + key.length + 16);
    expect(Buffer.from(sealed).includes(key)).toBe(false);
  });

  it('is replaced if it cannot be decrypted, and the old key is revoked', async () => {
    const old = await keyOf('ann');
    const other = restarted('another secret of the tests, of 32 characters');
    const key = await keyOf('ann', other);
    expect(key).not.toBe(old);
    expect(await table.opens(key)).toBe(true);
    table.wait(oldKeyLifeMs);
    expect(await table.opens(old)).toBe(false);
  });

  it('cannot be decrypted in the row of another user', async () => {
    await table.addUser('bob');
    const ann = await keyOf('ann');
    await keyOf('bob');
    await table.db.write([
      {
        sql: `UPDATE held_keys SET (key_id, sealed) = (SELECT key_id, sealed FROM held_keys WHERE user_id = 'ann')
              WHERE user_id = 'bob'`,
      },
    ]);
    expect(await keyOf('bob', restarted())).not.toBe(ann);
  });

  it('is replaced after 30 days, and the old key remains valid for 60 seconds', async () => {
    const old = await keyOf('ann');
    table.wait(gatewayKeyLifeMs - 1);
    expect(await keyOf('ann')).toBe(old);
    table.wait(1);
    const key = await keyOf('ann');
    expect(key).not.toBe(old);
    table.wait(oldKeyLifeMs - 1);
    expect([await table.opens(old), await table.opens(key)]).toEqual([true, true]);
    table.wait(1);
    expect([await table.opens(old), await table.opens(key)]).toEqual([false, true]);
  });

  it('is replaced after 30 days also after a restart', async () => {
    const old = await keyOf('ann');
    table.wait(gatewayKeyLifeMs);
    expect(await keyOf('ann', restarted())).not.toBe(old);
  });

  it('is replaced immediately on request, but not created for a user without one', async () => {
    const old = await keyOf('ann');
    await gatewayKeys.replace('ann');
    const key = await keyOf('ann');
    expect(key).not.toBe(old);
    expect(await keyOf('ann', restarted())).toBe(key);
    table.wait(oldKeyLifeMs);
    expect(await table.opens(old)).toBe(false);

    await table.addUser('bob');
    await gatewayKeys.replace('bob');
    expect(table.minted).toBe(2);
  });

  it('is replaced on request even while it is being created', async () => {
    const first = keyOf('ann');
    const replaced = gatewayKeys.replace('ann');
    const old = await first;
    await replaced;
    expect(await keyOf('ann')).not.toBe(old);
  });

  it('is replaced if its row in the keys table is missing', async () => {
    const old = await keyOf('ann');
    await table.db.write([{ sql: 'DELETE FROM api_keys' }]);
    const key = await keyOf('ann');
    expect(key).not.toBe(old);
    expect(await table.opens(key)).toBe(true);
  });

  it('leaves no unused key in the table', async () => {
    // As after a crash between creating and storing a key.
    const { key: orphan } = await table.mint('ann');
    const key = await keyOf('ann');
    table.wait(oldKeyLifeMs);
    expect([await table.opens(orphan), await table.opens(key)]).toEqual([false, true]);
    table.wait(gatewayKeyLifeMs);
    await keyOf('ann');
    const rows = await table.db.read({ sql: "SELECT id FROM api_keys WHERE user_id = 'ann'" });
    expect(rows).toHaveLength(2);
  });

  it('is not created for a user who is deleted meanwhile', async () => {
    await table.db.write([{ sql: 'DELETE FROM "user"' }]);
    await expect(gatewayKeys.keyFor('ann')).rejects.toMatchObject({ code: 'session.missing' });
    expect(await table.db.read({ sql: 'SELECT * FROM api_keys' })).toEqual([]);
    expect(await table.db.read({ sql: 'SELECT * FROM held_keys' })).toEqual([]);
  });

  it('is created by the next request after a failure', async () => {
    let fails = true;
    const shaky = createGatewayKeys({
      db: table.db,
      feed: table.feed,
      secrets: [secret],
      now: table.now,
      mint: (userName) => (fails ? Promise.reject(new Error('away')) : table.mint(userName)),
    });
    await expect(shaky.keyFor('ann')).rejects.toThrow('away');
    fails = false;
    expect(await table.opens(await keyOf('ann', shaky))).toBe(true);
  });
});
