import { z } from '@hono/zod-openapi';
import type { Accounts } from '../../core/accounts/accounts.ts';
import type { ConfirmingWay } from '../../core/accounts/ways.ts';
import type { Definition } from '../../core/capability.ts';
import { limits } from '../../core/limits/field-rules.ts';
import { requireTokens } from '../../core/limits/rate.ts';
import { secondFactorRoutes } from './second-factor.routes.ts';
import { totpRoutes } from './totp.routes.ts';
import { createTotp, hasApp, plainCode, type Totp } from './totp.store.ts';

/** @throws Problem `rate.exceeded` if codes of this user's app were guessed too often */
type RequireGuess = (request: Request, userName: string) => void;

const byApp = (totp: Totp, requireGuess: RequireGuess): ConfirmingWay<string> => ({
  name: 'totp',
  schema: z.string().max(limits.textLength),
  isOf: totp.isOn,
  second: () => 'app',
  async verify({ userName, value: code, request }) {
    requireGuess(request, userName);
    const unused = await totp.verify({ userName, code: plainCode(code) });
    return unused && [unused];
  },
});

export const authenticatorApp = {
  way(accounts: Accounts) {
    const { browsers, rates } = accounts;
    const totp = createTotp(accounts);
    /** A browser where the user has signed in before has a budget of its own: guesses of others do not lock the user out. */
    const requireGuess: RequireGuess = (request, userName) =>
      requireTokens(rates.app_codes, [userName, browsers.knownTo(request, userName) ?? ''].join(' '));
    return {
      routes: secondFactorRoutes({ ...accounts, totp, requireGuess }),
      screens: totpRoutes({ ...accounts, totp, requireGuess }),
      isFactor: hasApp,
      confirming: byApp(totp, requireGuess),
      secondStep: { isAsked: totp.isOn, notAsked: totp.isOff },
      takeFactor: totp.takeFrom,
      sealAllAgain: totp.sealAllAgain,
    };
  },
} satisfies Definition;
