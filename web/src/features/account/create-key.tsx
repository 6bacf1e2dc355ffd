import { useId, useState } from 'react';
import type { FormEvent } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useFaultFocus } from '../../ui/use-fault-focus.ts';
import { useCreateKey } from './account-page.api.ts';
import { errorText } from './error-text.ts';
import { KeyShown } from './key-shown.tsx';

/** Asks for a name, then shows the key, once. */
export function CreateKey({ onClose }: { onClose(): void }) {
  const form = useId();
  const create = useCreateKey();
  const [name, setName] = useState('');
  const [faults, setFaults] = useState<{ name?: string }>({});
  const ref = useFaultFocus(faults);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return setFaults({ name: t.account.keys.name_missing });
    setFaults({});
    create.mutate({ name }, { onError: (error) => setFaults({ name: errorText(error) }) });
  };

  if (create.data) return <KeyShown created={create.data} onClose={onClose} />;
  return (
    <Dialog
      size="small"
      title={t.account.keys.create_title}
      description={t.account.keys.create_text}
      onClose={onClose}
      footer={
        <>
          <Button type="submit" form={form} look="primary" sends busy={create.isPending}>
            {t.account.keys.create}
          </Button>
          <Button onClick={onClose}>{t.account.keys.cancel}</Button>
        </>
      }
    >
      <form ref={ref} id={form} noValidate onSubmit={submit}>
        <TextField
          label={t.account.keys.name}
          placeholder={t.account.keys.create_placeholder}
          maxLength={128}
          error={faults.name}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
