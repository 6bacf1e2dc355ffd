import { useQuery, type UseMutationResult } from '@tanstack/react-query';
import { useState, type ComponentProps, type ReactNode } from 'react';
import type { ApiKey, DeviceKey } from '@swarmdeck/bff/contract';
import { formatDay } from '../../text/calendar.ts';
import { formatNumber, t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { ActionError } from '../../ui/fields/form-error.tsx';
import { phone, useMedia } from '../../ui/browser/media.ts';
import { Time, useNow } from '../../ui/texts/time.tsx';
import { useNavigationRequest } from '../../ui/urls/use-navigation-request.ts';
import { keysQuery, useRevokeKey } from './keys.api.ts';
import '../../ui/texts/name-link.css';
import '../../ui/lists/table.css';
import './keys.css';
import { Link } from '../../ui/urls/router.tsx';
import { SectionState } from '../../shared/section-state.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { useToasts } from '../../ui/toasts/toast.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { CollectTyped } from '../../ui/keys/keys-provider.tsx';
import { lazyPart } from '../../ui/pages/lazy.tsx';
import { saidByItself } from '../../ui/dialogs/use-closing.ts';

const CreateKey = lazyPart(async () => (await import('./create-key.tsx')).CreateKey, { Fallback: CollectTyped });
const PhoneDialog = lazyPart(async () => (await import('./phone-dialog.tsx')).PhoneDialog, { Fallback: CollectTyped });

export function Keys({ id }: { id: string }) {
  const query = useQuery(keysQuery);
  const [creating, setCreating] = useState(false);
  const [sharing, setSharing] = useState<string | null>(null);
  useNavigationRequest('create_key', () => setCreating(true));
  useNavigationRequest<string>('share_phone', setSharing);
  return (
    <Box
      id={id}
      title={t.account.keys.title}
      count={query.data && formatNumber(query.data.items.length + query.data.device_keys.total)}
      action={
        <Button icon="plus" onClick={() => setCreating(true)}>
          {t.account.keys.create}
        </Button>
      }
    >
      <SectionState query={query}>
        {({ items, device_keys }) => (
          <>
            {items.length === 0 ? (
              <NoKeys title={t.account.keys[device_keys.total > 0 ? 'only_of_devices' : 'empty_title']} />
            ) : (
              <KeyTable label={t.account.keys.title} keys={items} hasScopes />
            )}
            {device_keys.total > 0 && (
              <>
                <h3 className="box-part section-name">{t.account.keys.of_devices}</h3>
                <KeyTable label={t.account.keys.of_devices} keys={device_keys.items} />
                {device_keys.total > device_keys.items.length && (
                  <p className="box-row quiet">
                    {t.account.keys.newest(formatNumber(device_keys.items.length), formatNumber(device_keys.total))}
                  </p>
                )}
              </>
            )}
          </>
        )}
      </SectionState>
      <p className="box-part keys-reference">
        <a className="button button-accent button-row" href="/docs">
          {t.account.keys.reference}
        </a>
      </p>
      {creating && <CreateKey onClose={() => setCreating(false)} />}
      {sharing !== null && <PhoneDialog from={sharing} onClose={() => setSharing(null)} />}
    </Box>
  );
}

function NoKeys({ title }: { title: string }) {
  return (
    <div className="keys-empty">
      <Empty icon="lock" level={3} title={title} text={t.account.keys.empty_text} />
    </div>
  );
}

interface KeyTableProps {
  label: string;
  keys: (ApiKey | DeviceKey)[];
  /** Whether it shows what each key may do, and what it was refused. */
  hasScopes?: boolean;
}

/** Keys with their last use and their end. Each can be revoked. */
export function KeyTable({ label, keys, hasScopes = false }: KeyTableProps) {
  const now = useNow();
  const lastUse = useMedia(phone) ? phoneLastUse : deskLastUse;
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <>
      <table className="table keys" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t.account.keys.name}</th>
            <th scope="col">{t.account.keys.key}</th>
            <th scope="col">{t.account.keys.created}</th>
            <th scope="col">{t.account.keys.last_used}</th>
            <th scope="col">
              <span className="visually-hidden">{t.account.keys.revoke}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                <Bdi className="one-line">{key.name}</Bdi>
                {hasScopes && <Scope apiKey={key} />}
                {'device' in key && (
                  <Link to={`/devices/${key.device.id}`} className="name-link quiet">
                    <Bdi className="one-line">{key.device.name}</Bdi>
                  </Link>
                )}
              </th>
              <td className="muted">{t.account.keys.ends_in(key.ends_in)}</td>
              <td className="muted keys-created">
                <Time at={key.created_at} form="date" />
                {key.expires_at && <KeyEnd at={key.expires_at} now={now} />}
              </td>
              <td className={key.last_used_at ? 'keys-used' : 'muted keys-used'}>{lastUse(key, now)}</td>
              <td className="keys-action">
                <Button
                  look="quiet"
                  size="row"
                  aria-label={t.account.keys.revoke_of(key.name)}
                  onClick={() => setRevoking(key)}
                >
                  {t.account.keys.revoke}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {revoking && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

/** Below the name. The names of operations are those of the API reference. */
function Scope({ apiKey: { scope, refused } }: { apiKey: ApiKey }) {
  return (
    <>
      <span className="keys-scope quiet">{t.account.keys.scopes[scope]}</span>
      {refused && (
        <span className="keys-scope quiet warn">
          <Rich
            text={t.account.keys.refused}
            date={<Time at={refused.at} form="date" />}
            operation={<code>{refused.operation}</code>}
          />
        </span>
      )}
    </>
  );
}

/** Below the day on which the key was created. */
function KeyEnd({ at, now }: { at: string; now: number }) {
  const hasEnded = Date.parse(at) <= now;
  const date = <Time at={at} form="date" />;
  return (
    <span className={hasEnded ? 'keys-end quiet warn' : 'keys-end quiet'}>
      <Rich text={hasEnded ? t.account.keys.expired : t.account.keys.expires} date={date} />
    </span>
  );
}

const deskLastUse = ({ last_used_at }: ApiKey, now: number) =>
  last_used_at ? formatDay(last_used_at, now) : t.account.keys.never;

/** With a label, because there are no column headings. */
const phoneLastUse = ({ last_used_at }: ApiKey, now: number) =>
  last_used_at ? t.account.keys.used(formatDay(last_used_at, now)) : t.account.keys.never_used;

function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { revoke_title, revoke_text, revoke, revoked } = t.account.keys;
  return (
    <RevokeDialog
      title={revoke_title(name)}
      description={revoke_text}
      confirm={revoke}
      done={<Rich text={revoked} name={<Bdi>{name}</Bdi>} />}
      revoke={useRevokeKey()}
      id={id}
      onClose={onClose}
    />
  );
}

interface RevokeDialogProps extends Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'description' | 'confirm'> {
  /** The toast once it has succeeded. */
  done: ReactNode;
  revoke: UseMutationResult<unknown, Error, string>;
  /** What `revoke` is called with. */
  id: string;
  onClose(): void;
}

/** Asks before keys are revoked. */
export function RevokeDialog({ done, revoke, id, onClose, ...texts }: RevokeDialogProps) {
  const toasts = useToasts();
  const confirm = () => {
    // `onClose` is not called after the dialog was closed.
    revoke.mutateAsync(id, { onSuccess: onClose }).then(
      () => toasts.show({ title: done }),
      () => undefined,
    );
  };
  return (
    <ConfirmDialog {...texts} busy={revoke.isPending} outcome={saidByItself} onClose={onClose} onConfirm={confirm}>
      <ActionError error={revoke.error} />
    </ConfirmDialog>
  );
}
