/** The ways in which the user of a session confirms their identity. */
import { z } from '@hono/zod-openapi';
import { limits } from '../../limits/field-rules.ts';
import { usedCredential, type Passkeys, type UsedCredential } from '../../../capabilities/passkeys/passkeys.ts';
import type { RecoveryCodes } from '../../../capabilities/recovery/recovery-codes.store.ts';
import type { SecondFactors } from '../../../capabilities/authenticator-app/second-factor.store.ts';
import { plainCode, type Totp } from '../../../capabilities/authenticator-app/totp.store.ts';
import type { Users } from '../users.store.ts';
import type { ConfirmingWay } from './confirm.ts';

const text = z.string().max(limits.textLength);

export const byPassword = (users: Users): ConfirmingWay<string> => ({
  name: 'password',
  schema: text,
  isOf: async (userName) => Boolean(await users.passwordHash(userName)),
  async verify({ userName, value: password }) {
    const verified = await users.verifyPassword({ userName, password, requestedBy: userName });
    return verified && [verified.unchanged];
  },
});

/** `requireGuess`: throws Problem `rate.exceeded` if codes of this user's app were guessed too often. */
export const byApp = (
  totp: Totp,
  requireGuess: (request: Request, userName: string) => void,
): ConfirmingWay<string> => ({
  name: 'totp',
  schema: text,
  isOf: totp.isOn,
  second: () => 'app',
  async verify({ userName, value: code, request }) {
    requireGuess(request, userName);
    const unused = await totp.verify({ userName, code: plainCode(code) });
    return unused && [unused];
  },
});

export const byPasskey = (passkeys: Passkeys): ConfirmingWay<UsedCredential> => ({
  name: 'passkey',
  schema: usedCredential,
  isOf: async (userName) => passkeys.isAvailable && (await passkeys.list(userName)).length > 0,
  second: () => 'passkey',
  async verify({ userName, value, request }) {
    const used = await passkeys.verify(request, value);
    return used?.userName === userName ? used.statements : undefined;
  },
});

/** Uses the code up. It stands for the second factor of a user who has one. */
export const byRecoveryCode = (codes: RecoveryCodes, { has }: SecondFactors): ConfirmingWay<string> => ({
  name: 'code',
  schema: text,
  isOf: async (userName) => (await codes.left(userName)) > 0,
  second: async (userName) => ((await has(userName)) ? 'code' : undefined),
  async verify({ userName, value: code }) {
    const unused = await codes.find({ userName, code });
    return unused && [unused];
  },
});
