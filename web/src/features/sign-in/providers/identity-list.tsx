import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import type { Identity } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Time } from '../../../ui/texts/time.tsx';
import { useErrorToast, useToasts } from '../../../ui/toasts/toast.tsx';
import { SectionState } from '../../../shared/section-state.tsx';
import { signInOptionsQuery } from '../sign-in.api.ts';
import { identitiesQuery, useUnlink, useVisit } from './providers.api.ts';
import { ProviderRefusal } from './refusal.tsx';

/** The providers by which the user can sign in: link, unlink. */
export function IdentityList() {
  const query = useQuery(identitiesQuery);
  const providers = useQuery(signInOptionsQuery).data?.providers ?? [];
  const params = new URLSearchParams(useLocation().search);
  return (
    <>
      <ProviderRefusal code={params.get('refused')} provider={params.get('provider')} />
      <SectionState query={query}>
        {(identities) => {
          // Those of providers that the server no longer has.
          const former = identities.filter(({ provider }) => providers.every(({ name }) => name !== provider));
          const rows = [...providers, ...former.map(({ provider }) => ({ name: provider, label: provider }))];
          if (rows.length === 0) return null;
          return (
            <ul aria-label={t.account.providers.title}>
              {rows.map(({ name, label }) => (
                <ProviderRow
                  key={name}
                  name={name}
                  label={label}
                  identity={identities.find(({ provider }) => provider === name)}
                />
              ))}
            </ul>
          );
        }}
      </SectionState>
    </>
  );
}

function ProviderRow({ name, label, identity }: { name: string; label: string; identity: Identity | undefined }) {
  const visit = useVisit('link');
  const unlink = useUnlink();
  const toasts = useToasts();
  const showError = useErrorToast();
  const link = () =>
    visit.mutate({ provider: name, next: '/account#signing-in' }, { onError: (error) => showError(error) });
  const remove = () =>
    unlink.mutate(name, {
      onSuccess: () => toasts.show({ title: t.account.providers.unlinked(label) }),
      onError: (error) => showError(error),
    });
  return (
    <li className="box-row">
      <div className="box-row-words">
        <p className="box-row-title">
          <Bdi>{label}</Bdi>
        </p>
        <p className="quiet">
          {identity ? (
            <Rich text={t.account.providers.linked} when={<Time at={identity.created_at} />} />
          ) : (
            t.account.providers.not_linked
          )}
        </p>
      </div>
      <Button
        look="quiet"
        size="row"
        sends
        busy={identity ? unlink.isPending : visit.isPending}
        aria-label={identity ? t.account.providers.unlink_of(label) : t.account.providers.link_of(label)}
        onClick={identity ? remove : link}
      >
        {identity ? t.account.providers.unlink : t.account.providers.link}
      </Button>
    </li>
  );
}
