import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { DeleteAccount } from '../features/account/delete-account.tsx';
import { Preferences } from '../features/account/preferences.tsx';
import { Usage } from '../features/account/usage.tsx';
import { Webhook } from '../features/account/webhook.tsx';
import { ActivityBox } from '../features/activity/activity-box.tsx';
import { newestActivityQuery } from '../features/activity/activity.api.ts';
import { passkeysQuery } from '../features/sign-in/passkeys/passkeys.api.ts';
import { identitiesQuery } from '../features/sign-in/providers/providers.api.ts';
import { RecoveryBox } from '../features/sign-in/recovery/recovery-box.tsx';
import { recoveryCodesQuery } from '../features/sign-in/recovery/recovery.api.ts';
import { totpQuery } from '../features/sign-in/second-factor/totp.api.ts';
import { signInOptionsQuery } from '../features/sign-in/sign-in.api.ts';
import { SigningInBox } from '../features/sign-in/signing-in-box.tsx';
import { t } from '../text/text.ts';
import { SkeletonRows } from '../ui/pages/skeleton.tsx';

/** The boxes of the account page that load after its first view. `onShown` is called once they are there. */
export function Foot({ onShown }: { onShown(): void }) {
  const queries = [
    useQuery(passkeysQuery),
    useQuery(totpQuery),
    useQuery(identitiesQuery),
    useQuery(signInOptionsQuery),
    useQuery(recoveryCodesQuery),
    useInfiniteQuery(newestActivityQuery()),
  ];
  const isPending = queries.some((query) => query.isPending && !query.isFetched);
  const tell = useEffectEvent(onShown);
  useEffect(() => {
    if (!isPending) tell();
  }, [isPending]);
  if (isPending) return <SkeletonRows count={6} badge={false} label={t.account.loading} />;
  return (
    <>
      <SigningInBox id="signing-in" />
      <RecoveryBox id="recovery" />
      <ActivityBox id="activity" />
      <Webhook id="webhook" />
      <Usage id="usage" />
      <Preferences id="preferences" />
      <DeleteAccount id="delete" />
    </>
  );
}
