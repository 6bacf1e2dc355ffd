import type { Accounts } from '../../core/accounts/accounts.ts';
import type { Definition } from '../../core/capability.ts';
import type { Finding } from '../../core/part.ts';
import { createIdentities, hasIdentity } from './identities.store.ts';
import { identityRoutes } from './identities.routes.ts';
import { createProviders } from './providers.ts';
import { createSingleSignOn } from './single-sign-on.ts';
import { singleSignOnRoutes } from './single-sign-on.routes.ts';

/** For the operator. */
export function findingOf({ name, failure }: { name: string; failure: string | undefined }): Finding {
  const part = 'sign-in';
  if (failure === undefined) return { part, state: 'ok', text: `the provider ${name} answers` };
  const setting = `OIDC_${name.toUpperCase()}_ISSUER`;
  return { part, state: 'error', text: `the provider ${name} cannot be used (${failure}): look at ${setting}` };
}

export const providers = {
  way(accounts: Accounts) {
    const providers = createProviders({ ...accounts, providers: accounts.oidcProviders });
    const singleSignOn = createSingleSignOn({ ...accounts, providers, identities: createIdentities(accounts) });
    const names = providers.list.map(({ name }) => name);
    return {
      routes: singleSignOnRoutes({ ...accounts, singleSignOn }),
      screens: identityRoutes({ ...accounts, singleSignOn }),
      load: providers.load,
      offered: { providers: providers.list },
      ...(names.length > 0 && { isWayIn: hasIdentity(names) }),
      signOutUrl: providers.signOutUrl,
      shown(way: string) {
        const provider = providers.list.find(({ name }) => name === way);
        return provider && `provider:${provider.label}`;
      },
      everyHour: [{ name: 'rolesOfOthers' as const, run: singleSignOn.endRolesOfOthers }],
      findings: async () => (await providers.examine()).map(findingOf),
    };
  },
} satisfies Definition;
