import { z } from '@hono/zod-openapi';
import { limits } from '../../limits/field-rules.ts';
import type { Users } from '../users.store.ts';
import type { ConfirmingWay } from '../ways.ts';

export const byPassword = (users: Users): ConfirmingWay<string> => ({
  name: 'password',
  schema: z.string().max(limits.textLength),
  isOf: async (userName) => Boolean(await users.passwordHash(userName)),
  async verify({ userName, value: password }) {
    const verified = await users.verifyPassword({ userName, password, requestedBy: userName });
    return verified && [verified.unchanged];
  },
});
