import { useState, type ReactNode } from 'react';
import { limits } from '@swarmdeck/bff/field-rules';
import { endOfDay } from '../../data/server-clock.ts';
import { nameError } from '../../data/text-errors.ts';
import { t } from '../../text/text.ts';
import { LineField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useNow } from '../../ui/time.tsx';

interface KeyFormProps {
  title: string;
  description: string;
  submit: string;
  /** Without it, the user gives no name. */
  name?: { label: string; value: string; placeholder?: string } | undefined;
  /** The label of the last day. Without it, the key has no end. */
  until?: string;
  busy: boolean;
  error: Error | null;
  onSubmit(made: { name: string; expires_at?: string }): void;
  onClose(): void;
  /** Above the fields. */
  note?: ReactNode;
}

/** The dialog that asks for the name and the end of a new key. */
export function KeyForm({
  name: given,
  until: untilLabel,
  busy,
  error,
  onSubmit,
  onClose,
  note,
  ...dialog
}: KeyFormProps) {
  const now = useNow();
  const [name, setName] = useState(given?.value ?? '');
  const [until, setUntil] = useState('');
  const [errors, setErrors] = useState<{ name?: string; until?: string }>({});
  const submit = () => {
    const wrongName = given && nameError(name.trim(), limits.nameLength);
    const isPast = until !== '' && !(endOfDay(until).getTime() > now);
    const found = { ...(wrongName && { name: wrongName }), ...(isPast && { until: t.links.until_past }) };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    onSubmit({ name: name.trim(), ...(until !== '' && { expires_at: endOfDay(until).toISOString() }) });
  };
  return (
    <FormDialog
      {...dialog}
      busy={busy}
      errors={errors}
      onSubmit={submit}
      // The key is shown only once.
      onClose={() => busy || onClose()}
    >
      {note}
      {given && (
        <LineField
          label={given.label}
          placeholder={given.placeholder}
          error={errors.name}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setErrors({});
          }}
        />
      )}
      {untilLabel !== undefined && (
        <TextField
          type="date"
          optional
          label={untilLabel}
          error={errors.until}
          value={until}
          onChange={(event) => {
            setUntil(event.currentTarget.value);
            setErrors({});
          }}
        />
      )}
      <FormError error={error} />
    </FormDialog>
  );
}
