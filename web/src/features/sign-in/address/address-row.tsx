import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '../../../data/problem.ts';
import { SectionState } from '../../../shared/section-state.tsx';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { TextField } from '../../../ui/fields/field.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { ActionError } from '../../../ui/fields/form-error.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { useToasts } from '../../../ui/toasts/toast.tsx';
import { addressQuery, useNewAddress, useRemoveAddress } from './address.api.ts';
import '../sign-in-row.css';

/** The email address of the user, if the server sends emails: add, change, remove. `givesLink`: also for a lost password. */
export function AddressRow({ givesLink }: { givesLink: boolean }) {
  const query = useQuery(addressQuery);
  const [open, setOpen] = useState<'change' | 'remove' | null>(null);
  const text = t.account.address;
  const use = givesLink ? text.text : text.notices;
  const close = () => setOpen(null);
  // Many servers send no emails: rows that are loading would vanish there.
  if (!query.data && !(givesLink && query.error)) return null;
  return (
    <>
      <SectionState query={query}>
        {({ is_available, address, verified_at, next_address }) =>
          (is_available || address !== null) && (
            <div className="box-row sign-in-row">
              <div className="box-row-words">
                <p className="box-row-title">{text.title}</p>
                {address !== null && (
                  <p>
                    <Bdi>{address}</Bdi>
                  </p>
                )}
                <p className="quiet">
                  {!is_available ? text.off : address !== null && !verified_at ? text.unconfirmed : use}
                </p>
                {next_address !== null && (
                  <p className="quiet">
                    <Rich text={text.next} address={<Bdi>{next_address}</Bdi>} />
                  </p>
                )}
              </div>
              <div className="line">
                {is_available && (
                  <Button
                    look="quiet"
                    size="row"
                    sends
                    aria-label={address === null ? text.add_it : text.change_it}
                    onClick={() => setOpen('change')}
                  >
                    {address === null ? text.add : text.change}
                  </Button>
                )}
                {address !== null && (
                  <Button look="quiet" size="row" sends aria-label={text.remove_it} onClick={() => setOpen('remove')}>
                    {text.remove}
                  </Button>
                )}
              </div>
            </div>
          )
        }
      </SectionState>
      {open === 'change' && <ChangeAddress address={query.data?.address ?? ''} onClose={close} />}
      {open === 'remove' && <RemoveAddress onClose={close} />}
    </>
  );
}

function ChangeAddress({ address, onClose }: { address: string; onClose(): void }) {
  const text = t.account.address;
  const change = useNewAddress();
  const toasts = useToasts();
  const [typed, setTyped] = useState(address);
  const [errors, setErrors] = useState<{ typed?: string | undefined }>({});
  const isRefused = change.error instanceof ProblemError && change.error.field('/address') !== undefined;
  const submit = () => {
    const wrong = /^[^\s@]+@[^\s@]+$/.test(typed.trim()) ? undefined : text.wrong;
    setErrors({ typed: wrong });
    change.reset();
    if (wrong) return;
    change.mutate(typed.trim(), {
      onSuccess() {
        toasts.show({ title: <Rich text={text.sent} address={<Bdi>{typed.trim()}</Bdi>} /> });
        onClose();
      },
    });
  };
  return (
    <FormDialog
      title={text.title}
      description={text.change_text}
      submit={text.submit}
      busy={change.isPending}
      errors={isRefused && change.error ? change.error : errors}
      onSubmit={submit}
      onClose={onClose}
    >
      <ActionError error={isRefused ? null : change.error} />
      <TextField
        label={text.title}
        error={isRefused ? text.wrong : errors.typed}
        type="email"
        name="email"
        autoComplete="email"
        dir="ltr"
        maxLength={254}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </FormDialog>
  );
}

function RemoveAddress({ onClose }: { onClose(): void }) {
  const remove = useRemoveAddress();
  return (
    <ConfirmDialog
      title={t.account.address.remove_title}
      description={t.account.address.remove_text}
      confirm={t.account.address.remove}
      busy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ActionError error={remove.error} />
    </ConfirmDialog>
  );
}
