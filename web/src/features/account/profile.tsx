import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOutbox } from '../../data/outbox/outbox.ts';
import { formatMonth } from '../../text/calendar.ts';
import { t } from '../../text/text.ts';
import { Avatar } from '../../ui/symbols/avatar.tsx';
import { Button, ButtonLink } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { Offline } from '../../ui/browser/offline.ts';
import { Skeleton } from '../../ui/pages/skeleton.tsx';
import { accountQuery } from '../../shared/account/account.api.ts';
import { useSignOut } from '../../shared/account/sign-out.ts';
import './account-boxes.css';
import { useErrorToast } from '../../ui/toasts/toast.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { CollectTyped } from '../../ui/keys/keys-provider.tsx';
import { lazyPart } from '../../ui/pages/lazy.tsx';

const ChangePassword = lazyPart(async () => (await import('./change-password.tsx')).ChangePassword, {
  Fallback: CollectTyped,
});

export function Profile({ id }: { id: string }) {
  const account = useQuery(accountQuery);
  const { data } = account;
  const [changing, setChanging] = useState(false);
  const showError = useErrorToast();
  const signOut = useSignOut();
  const unsent = useOutbox(data?.user_id).length;
  const [asking, setAsking] = useState(false);
  const end = () => {
    setAsking(false);
    signOut.mutate(undefined, { onError: (error) => showError(error) });
  };
  return (
    <section id={id} className="box line gap-4 wraps pad-4" aria-label={t.account.profile.title}>
      <Avatar large name={data?.user_id ?? ''} />
      <div className="profile-words">
        <h2>{data ? <Bdi>{data.user_id}</Bdi> : <Skeleton width="140px" height="14px" />}</h2>
        <p className="quiet numbers">
          {data &&
            [
              t.account.profile.devices(data.resources),
              t.account.profile.swarms(data.swarms_owned),
              t.account.profile.since(formatMonth(data.created_at)),
            ].join(' · ')}
        </p>
        {!data && account.error && <LoadFailedNote title={t.account.failed} query={account} />}
      </div>
      <div className="line wraps profile-actions">
        {data?.role && <ButtonLink to="/operator">{t.operator.open}</ButtonLink>}
        <Button onClick={() => setChanging(true)}>{t.account.profile.change_password}</Button>
        <Button busy={signOut.isPending} onClick={() => (unsent > 0 ? setAsking(true) : end())}>
          {t.account.profile.sign_out}
        </Button>
      </div>
      {asking && (
        // Signing out works without a network too.
        <Offline value={null}>
          <ConfirmDialog
            title={t.outbox.sign_out_title}
            description={t.outbox.sign_out_text(unsent)}
            confirm={t.account.profile.sign_out}
            onConfirm={end}
            onClose={() => setAsking(false)}
          />
        </Offline>
      )}
      {changing && <ChangePassword onClose={() => setChanging(false)} />}
    </section>
  );
}
