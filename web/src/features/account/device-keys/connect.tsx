import { useState } from 'react';
import type { Resource } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { endOfDay } from '../../../api/server-clock.ts';
import { nameError } from '../../../api/text-errors.ts';
import { t } from '../../../text/text.ts';
import { LineField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { useNow } from '../../../ui/time.tsx';
import { useCreateKey } from '../account-page.api.ts';
import { ConnectCode, type DeviceRights } from './connect-code.tsx';
import { KeyShown } from '../key-shown.tsx';

interface ConnectProps {
  device: Resource;
  rights: DeviceRights;
  onClose(): void;
}

/** Creates a key for one device, then shows it, once, in code that uses it. */
export function Connect({ device, rights, onClose }: ConnectProps) {
  const now = useNow();
  const create = useCreateKey();
  const [name, setName] = useState(device.name);
  const [until, setUntil] = useState('');
  const [errors, setErrors] = useState<{ name?: string; until?: string }>({});

  const submit = () => {
    const wrongName = nameError(name.trim(), limits.nameLength);
    const isPast = until !== '' && !(endOfDay(until).getTime() > now);
    const found = { ...(wrongName && { name: wrongName }), ...(isPast && { until: t.links.until_past }) };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    create.mutate({
      ...{ resource_id: device.id, name: name.trim() },
      ...(until !== '' && { expires_at: endOfDay(until).toISOString() }),
    });
  };

  if (create.data) {
    return (
      <KeyShown created={create.data} text={t.connect.ready_text} onClose={onClose}>
        <ConnectCode device_id={device.id} created={create.data} rights={rights} />
      </KeyShown>
    );
  }
  return (
    <FormDialog
      title={t.connect.create_title}
      description={t.connect.create_text}
      submit={t.account.keys.create}
      busy={create.isPending}
      errors={errors}
      onSubmit={submit}
      // The key is shown only once.
      onClose={() => create.isPending || onClose()}
    >
      <LineField
        label={t.account.keys.name}
        error={errors.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextField
        type="date"
        optional
        label={t.links.until}
        error={errors.until}
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      <FormError error={create.error} />
    </FormDialog>
  );
}
