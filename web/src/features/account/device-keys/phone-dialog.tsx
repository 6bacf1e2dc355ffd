import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Resource } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { endOfDay } from '../../../api/server-clock.ts';
import { nameError } from '../../../api/text-errors.ts';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { LineField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { useNow } from '../../../ui/time.tsx';
import { useCreateKey, useCreatePhone } from '../account-page.api.ts';
import { OwnTracksCode } from './owntracks-code.tsx';

/** The name of a phone's key. The page of the device finds the phones by it. */
export const phoneKeyName = 'OwnTracks';

/** Creates a key for a phone with the app OwnTracks, then shows what sets the app up. Without `device`, one is added first. */
export function PhoneDialog({ device, onClose }: { device?: Resource; onClose(): void }) {
  const now = useNow();
  const navigate = useNavigate();
  const add = useCreatePhone();
  const create = useCreateKey();
  const [name, setName] = useState<string>(t.links.join.phone_name);
  const [until, setUntil] = useState('');
  const [errors, setErrors] = useState<{ name?: string; until?: string }>({});
  const isBusy = add.isPending || create.isPending;
  const known = device ?? add.data;

  const share = async () => {
    const wrongName = known ? undefined : nameError(name.trim(), limits.nameLength);
    const isPast = until !== '' && !(endOfDay(until).getTime() > now);
    const found = { ...(wrongName && { name: wrongName }), ...(isPast && { until: t.links.until_past }) };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    try {
      // A second attempt uses the device of the first.
      const { id } = known ?? (await add.mutateAsync({ name: name.trim(), machine_type: 'smartphone' }));
      const end = until === '' ? {} : { expires_at: endOfDay(until).toISOString() };
      await create.mutateAsync({ resource_id: id, name: phoneKeyName, ...end });
    } catch {
      // The dialog shows the error.
    }
  };

  if (known && create.data) {
    const close = () => {
      onClose();
      if (!device) void navigate(`/devices/${known.id}`);
    };
    return (
      <Dialog
        title={t.connect.phone.ready}
        description={t.connect.phone.ready_text}
        onClose={close}
        footer={<Button onClick={close}>{t.connect.phone.done}</Button>}
      >
        <OwnTracksCode device_id={known.id} created={create.data} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t.connect.phone.action}
      description={t.connect.phone.text}
      submit={t.connect.phone.share}
      busy={isBusy}
      errors={errors}
      onSubmit={() => void share()}
      onClose={() => isBusy || onClose()}
    >
      {!device && (
        <LineField
          label={t.device.form.name}
          error={errors.name}
          value={name}
          disabled={add.data !== undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <TextField
        type="date"
        optional
        label={t.connect.phone.until}
        error={errors.until}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      <FormError error={add.error ?? create.error} />
    </FormDialog>
  );
}
