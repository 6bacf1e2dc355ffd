import { z } from '@hono/zod-openapi';
import type { Accounts } from '../../core/accounts/accounts.ts';
import type { ConfirmingWay } from '../../core/accounts/ways.ts';
import type { SecondFactors } from '../../core/accounts/second-factors.store.ts';
import type { Definition } from '../../core/capability.ts';
import { limits } from '../../core/limits/field-rules.ts';
import { createRecoveryCodes, type RecoveryCodes } from './recovery-codes.store.ts';
import { recoveryCodeRoutes, recoveryRoutes } from './recovery.routes.ts';

/** Uses the code up. It stands for the second factor of a user who has one. */
const byRecoveryCode = (codes: RecoveryCodes, { has }: Pick<SecondFactors, 'has'>): ConfirmingWay<string> => ({
  name: 'code',
  schema: z.string().max(limits.textLength),
  isOf: async (userName) => (await codes.left(userName)) > 0,
  second: async (userName) => ((await has(userName)) ? 'code' : undefined),
  async verify({ userName, value: code }) {
    const unused = await codes.find({ userName, code });
    return unused && [unused];
  },
});

export const recovery = {
  way(accounts: Accounts) {
    const codes = createRecoveryCodes(accounts);
    return {
      routes: recoveryRoutes({ ...accounts, recoveryCodes: codes }),
      screens: recoveryCodeRoutes({ ...accounts, recoveryCodes: codes }),
      codes,
      confirming: byRecoveryCode(codes, accounts.secondFactors),
    };
  },
} satisfies Definition;
