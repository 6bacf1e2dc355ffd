import { expect, test } from 'vitest';
import { sql } from '../store/statement.ts';
import { createTestSignIn } from './sign-in.fixture.ts';
import { createHasWayIn, hasPassword } from './ways-in.store.ts';

const ofAnn = { isWayIn: sql`u.username = 'ann'` };
const ofBob = { isWayIn: sql`u.username = 'bob'` };

test.each([
  { ways: [ofBob, ofAnn], ok: true },
  { ways: [ofBob], ok: false },
  { ways: [{}], ok: false },
  { ways: [{ isWayIn: hasPassword }], ok: true },
])('what a server does not accept is no way in: $ways', async ({ ways, ok }) => {
  await using context = await createTestSignIn();
  const { db } = context;
  await context.signUp('ann');
  expect((await db.write([createHasWayIn({ ways })('ann')])).ok).toBe(ok);
});
