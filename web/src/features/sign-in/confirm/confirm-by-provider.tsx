import { useQuery } from '@tanstack/react-query';
import { t } from '../../../text/text.ts';
import { ActionError } from '../../../ui/form-error.tsx';
import { identitiesQuery, useVisit } from '../providers/providers.api.ts';
import { signInOptionsQuery } from '../sign-in.api.ts';

/** Leaves the page: the user signs in again at a provider, and comes back. */
export function ConfirmByProvider() {
  const identities = useQuery(identitiesQuery).data ?? [];
  const providers = useQuery(signInOptionsQuery).data?.providers ?? [];
  const visit = useVisit('confirm');
  const next = location.pathname + location.search + location.hash;
  return (
    <>
      <ActionError error={visit.error} />
      {providers
        .filter(({ name }) => identities.some(({ provider }) => provider === name))
        .map(({ name, label }) => (
          <p key={name}>
            <button type="button" className="sign-in-switch" onClick={() => visit.mutate({ provider: name, next })}>
              {t.account.providers.sign_in(label)}
            </button>
          </p>
        ))}
    </>
  );
}
