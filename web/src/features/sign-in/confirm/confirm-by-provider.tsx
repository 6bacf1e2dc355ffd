import { useQuery } from '@tanstack/react-query';
import type { SignInOptions } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { identitiesQuery, useVisit } from '../providers/providers.api.ts';
import { signInOptionsQuery } from '../sign-in.api.ts';

/** The providers that are linked with the account. Undefined until they are known. */
export function useConfirmingProviders(): SignInOptions['providers'] | undefined {
  const identities = useQuery(identitiesQuery).data;
  const options = useQuery(signInOptionsQuery).data;
  return identities && options?.providers.filter(({ name }) => identities.some(({ provider }) => provider === name));
}

/** Leaves the page: the user signs in again at a provider, and comes back. */
export function ConfirmByProvider({ providers }: { providers: SignInOptions['providers'] }) {
  const visit = useVisit('confirm');
  const next = location.pathname + location.search + location.hash;
  const leave = (provider: string) => {
    if (!visit.isPending) visit.mutate({ provider, next });
  };
  return (
    <>
      <ActionError error={visit.error} />
      {providers.map(({ name, label }) => (
        <p key={name}>
          <button type="button" className="sign-in-switch" onClick={() => leave(name)}>
            {t.account.providers.sign_in(label)}
          </button>
        </p>
      ))}
      {providers.length > 0 && <p className="quiet">{t.account.confirm.leaves}</p>}
    </>
  );
}
