import type { Definition } from '../../core/capability.ts';
import type { ConfirmingWay } from '../../core/accounts/ways.ts';
import type { Accounts } from '../../core/accounts/accounts.ts';
import { passkeySignInRoutes } from './passkey-sign-in.routes.ts';
import { passkeyRoutes } from './passkeys.routes.ts';
import { hasPasskey } from './passkeys.store.ts';
import { createPasskeys, usedCredential, type Passkeys, type UsedCredential } from './passkeys.ts';

const byPasskey = (passkeys: Passkeys): ConfirmingWay<UsedCredential> => ({
  name: 'passkey',
  schema: usedCredential,
  isOf: async (userName) => passkeys.isAvailable && (await passkeys.list(userName)).length > 0,
  second: () => 'passkey',
  async verify({ userName, value, request }) {
    const used = await passkeys.verify(request, value);
    return used?.userName === userName ? used.statements : undefined;
  },
});

export const passkeys = {
  way(accounts: Accounts) {
    const passkeys = createPasskeys(accounts);
    return {
      routes: passkeySignInRoutes({ ...accounts, passkeys }),
      screens: passkeyRoutes({ ...accounts, passkeys }),
      load: passkeys.load,
      offered: { passkeys: passkeys.isAvailable },
      // One that this server cannot ask for at its address is neither.
      ...(passkeys.isAvailable && { isWayIn: hasPasskey, isFactor: hasPasskey }),
      confirming: byPasskey(passkeys),
    };
  },
} satisfies Definition;
