import { expect, test } from 'vitest';
import { createTestSignIn } from './sign-in.fixture.ts';
import { createHasWayIn } from './ways-in.store.ts';

test.each([
  { accepted: { passwords: false, passkeys: true, providers: [] }, ok: true },
  { accepted: { passwords: false, passkeys: false, providers: ['home'] }, ok: false },
  { accepted: { passwords: false, passkeys: false, providers: [] }, ok: false },
  { accepted: { passwords: true, passkeys: false, providers: [] }, ok: true },
])('what a server does not accept is no way in: $accepted', async ({ accepted, ok }) => {
  await using context = await createTestSignIn();
  const { db } = context;
  await context.signUp('ann');
  await db.write([
    {
      sql: `INSERT INTO passkeys (id, user_id, name, public_key, counter, transports, created_at)
            VALUES ('p', 'ann', 'Phone', $1, 0, '[]', '2026-01-01T00:00:00.000Z')`,
      params: [new Uint8Array(1)],
    },
  ]);
  expect((await db.write([createHasWayIn(accepted)('ann')])).ok).toBe(ok);
});
