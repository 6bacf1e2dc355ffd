import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Account, UserDetails } from '@swarmdeck/bff/contract';
import { formatDay } from '../../text/calendar.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Time, useNow } from '../../ui/texts/time.tsx';
import { useErrorToast, useToasts } from '../../ui/toasts/toast.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import { accountQuery } from '../../shared/account/account.api.ts';
import { SectionState } from '../../shared/section-state.tsx';
import { PasswordLinkDialog } from './password-link.tsx';
import { userQuery, useUserAction, type UserAction } from './users.api.ts';
import { saidByItself } from '../../ui/dialogs/use-closing.ts';

/** What the operator may know of a user, and may do. */
export function UserDialog({ name, onClose }: { name: string; onClose(): void }) {
  const query = useQuery(userQuery(name));
  const own = useQuery(accountQuery).data?.user_id;
  const action = useUserAction(name);
  const toasts = useToasts();
  const showError = useErrorToast();
  const [asked, setAsked] = useState<'disable' | 'sign-out' | 'link'>();
  const enable = () =>
    action.mutate('enable', {
      onSuccess: () => toasts.show({ title: t.operator.done.enable(name) }),
      onError: (error) => showError(error),
    });
  const close = () => setAsked(undefined);
  if (asked === 'link') return <PasswordLinkDialog name={name} onClose={close} />;
  const user = query.data;
  if (asked) return <ConfirmAction name={name} user={user} what={asked} onClose={close} />;
  return (
    <Dialog
      title={<Bdi>{name}</Bdi>}
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {t.shell.kit.close}
          </Button>
          {user && name !== own && (
            <>
              {user.role === null && user.disabled_at === null && (
                <Button sends onClick={() => setAsked('link')}>
                  {t.operator.link.open}
                </Button>
              )}
              <Button sends disabled={user.sessions === 0} onClick={() => setAsked('sign-out')}>
                {t.operator.actions['sign-out']}
              </Button>
              {user.disabled_at === null ? (
                <Button sends look="danger" onClick={() => setAsked('disable')}>
                  {t.operator.actions.disable}
                </Button>
              ) : (
                <Button sends busy={action.isPending} onClick={enable}>
                  {t.operator.actions.enable}
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      <SectionState query={query}>{(details) => <Details user={details} />}</SectionState>
    </Dialog>
  );
}

interface ConfirmActionProps {
  name: string;
  user: UserDetails | undefined;
  what: Exclude<UserAction, 'enable'>;
  onClose(): void;
}

function ConfirmAction({ name, user, what, onClose }: ConfirmActionProps) {
  const action = useUserAction(name);
  const toasts = useToasts();
  const showError = useErrorToast();
  const confirm = () => {
    const done = action.mutateAsync(what, { onError: (error) => showError(error), onSettled: onClose });
    // Also after the dialog was closed.
    done.then(
      () => toasts.show({ title: t.operator.done[what](name) }),
      () => undefined,
    );
  };
  return (
    <ConfirmDialog
      title={t.operator.ask[what].title(name)}
      description={t.operator.ask[what].text}
      confirm={t.operator.actions[what]}
      isDangerous={what === 'disable'}
      busy={action.isPending}
      outcome={saidByItself}
      onConfirm={confirm}
      onClose={onClose}
    >
      {what === 'disable' && user && <DisabledParts user={user} />}
    </ConfirmDialog>
  );
}

/** What stops while a user is disabled, and what stays. */
function DisabledParts({ user: { sessions, resources, quotas } }: { user: UserDetails }) {
  const say = t.operator.ask.disable;
  const keys = quotas.keys.used + quotas.device_keys.used;
  const swarms = quotas.swarms.used;
  return (
    <>
      <ul className="stack gap-1 dialog-list numbers">
        {sessions > 0 && <li>{say.sessions(sessions)}</li>}
        {keys > 0 && <li>{say.keys(keys)}</li>}
        {resources > 0 && <li>{say.devices(resources)}</li>}
        {swarms > 0 && <li>{say.swarms}</li>}
        {resources + swarms > 0 && <li>{say.links}</li>}
        <li>{say.notices}</li>
        <li>{say.actions}</li>
      </ul>
      <p>{say.stays}</p>
    </>
  );
}

function Details({ user: { created_at, disabled_at, active_at, sessions, quotas, role } }: { user: UserDetails }) {
  const now = useNow();
  const { of } = t.account.usage;
  const lines: readonly (readonly [string, ReactNode])[] = [
    [t.operator.created, <Time key="created" at={created_at} form="date_time" />],
    ...(disabled_at === null
      ? []
      : [[t.operator.disabled, <Time key="disabled" at={disabled_at} form="date_time" />] as const]),
    ...(role === null ? [] : [[t.operator.role, t.operator.yes] as const]),
    [t.operator.active, active_at === null ? t.account.keys.never : formatDay(active_at, now)],
    [t.account.sessions.title, formatNumber(sessions)],
    ...Object.entries(t.operator.quotas).map(([quota, label]) => {
      const { used, allowed } = quotas[quota as keyof Account['quotas']];
      return [label, allowed === null ? formatNumber(used) : of(formatNumber(used), formatNumber(allowed))] as const;
    }),
  ];
  return (
    <dl className="operator-details">
      {lines.map(([label, value]) => (
        <div key={label}>
          <dt className="quiet">{label}</dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
