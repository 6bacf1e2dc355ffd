import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '@swarmdeck/bff/field-rules';
import type { Passkey } from '@swarmdeck/bff/contract';
import { nameError } from '../../../data/text-errors.ts';
import { formatDay } from '../../../text/calendar.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { LineField } from '../../../ui/fields/field.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { ActionError, ErrorNote, FormError } from '../../../ui/fields/form-error.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Time, useNow } from '../../../ui/texts/time.tsx';
import { useToasts } from '../../../ui/toasts/toast.tsx';
import { accountQuery } from '../../../shared/account/account.api.ts';
import { SectionState } from '../../../shared/section-state.tsx';
import { nameOfDevice } from './device-name.ts';
import {
  newPasskeySentence,
  passkeysQuery,
  useNewPasskey,
  useRemovePasskey,
  useRenamePasskey,
} from './passkeys.api.ts';
import { hasWebAuthn, isNumber } from './webauthn.ts';
import '../sign-in-row.css';

/** The passkeys of the user: add, rename, remove. `canAdd`: whether this server has passkeys at its address. */
export function PasskeyList({ canAdd }: { canAdd: boolean }) {
  const query = useQuery(passkeysQuery);
  const isOperator = useQuery(accountQuery).data?.role === 'operator';
  const add = useNewPasskey();
  const toasts = useToasts();
  const [open, setOpen] = useState<{ passkey: Passkey; to: 'rename' | 'remove' } | null>(null);
  const close = () => setOpen(null);
  const create = () =>
    add.mutate(nameOfDevice(), { onSuccess: () => toasts.show({ title: t.account.passkeys.added }) });
  return (
    <>
      <SectionState query={query}>
        {(passkeys) => (
          <>
            <div className="box-row sign-in-row">
              <div className="box-row-words">
                <p className="box-row-title">{t.account.passkeys.title}</p>
                <p className="quiet">
                  {canAdd && hasWebAuthn() ? t.account.passkeys.text : notHere({ canAdd, isOperator })}
                </p>
                <ErrorNote>{add.error && newPasskeySentence(add.error)}</ErrorNote>
              </div>
              {canAdd && hasWebAuthn() && (
                <Button look="quiet" size="row" sends busy={add.isPending} onClick={create}>
                  {t.account.passkeys.add}
                </Button>
              )}
            </div>
            {passkeys.length > 0 && (
              <ul aria-label={t.account.passkeys.title}>
                {passkeys.map((passkey) => (
                  <PasskeyRow
                    key={passkey.id}
                    passkey={passkey}
                    onRename={() => setOpen({ passkey, to: 'rename' })}
                    onRemove={() => setOpen({ passkey, to: 'remove' })}
                  />
                ))}
              </ul>
            )}
          </>
        )}
      </SectionState>
      {open?.to === 'rename' && <RenamePasskey passkey={open.passkey} onClose={close} />}
      {open?.to === 'remove' && <RemovePasskey passkey={open.passkey} onClose={close} />}
    </>
  );
}

/** Why no passkey can be added here. Only operators, and users at the server's own machine, can change the address. */
function notHere({ canAdd, isOperator }: { canAdd: boolean; isOperator: boolean }): string {
  const { hostname, host, port } = location;
  if (/^127\.|^\[::1\]$/.test(hostname))
    return t.account.passkeys.no_number(host, `http://localhost${port && `:${port}`}`);
  const isPossible = canAdd && isSecureContext && !isNumber(hostname);
  if (isPossible) return t.account.passkeys.no_browser;
  return [t.account.passkeys.no_name, isOperator && t.account.passkeys.needs_name].filter(Boolean).join(' ');
}

function PasskeyRow({ passkey, onRename, onRemove }: { passkey: Passkey; onRename(): void; onRemove(): void }) {
  const now = useNow();
  const { name, created_at, last_used_at } = passkey;
  return (
    <li className="box-row sign-in-row">
      <div className="box-row-words">
        <p className="box-row-title">
          <Bdi>{name}</Bdi>
        </p>
        <p className="quiet">
          <Rich text={t.account.passkeys.line} when={<Time at={created_at} form="date" />} />{' '}
          {last_used_at ? t.account.passkeys.used(formatDay(last_used_at, now)) : t.account.passkeys.never_used}
        </p>
      </div>
      <div className="line gap-2">
        <Button look="quiet" size="row" sends aria-label={t.account.passkeys.rename_of(name)} onClick={onRename}>
          {t.account.passkeys.rename}
        </Button>
        <Button look="quiet" size="row" sends aria-label={t.account.passkeys.remove_of(name)} onClick={onRemove}>
          {t.account.passkeys.remove}
        </Button>
      </div>
    </li>
  );
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const rename = useRenamePasskey();
  const [name, setName] = useState(passkey.name);
  const [errors, setErrors] = useState<{ name?: string }>({});
  const submit = () => {
    const wrong = nameError(name.trim(), limits.nameLength);
    setErrors(wrong ? { name: wrong } : {});
    if (!wrong) rename.mutate({ id: passkey.id, name: name.trim() }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t.account.passkeys.rename_title}
      submit={t.account.passkeys.rename}
      busy={rename.isPending}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <LineField
        label={t.account.passkeys.name}
        error={errors.name}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setErrors({});
        }}
      />
      <FormError error={rename.error} />
    </FormDialog>
  );
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const remove = useRemovePasskey();
  return (
    <ConfirmDialog
      title={t.account.passkeys.remove_title(passkey.name)}
      description={t.account.passkeys.remove_text}
      confirm={t.account.passkeys.remove}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(passkey.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ActionError error={remove.error} />
    </ConfirmDialog>
  );
}
