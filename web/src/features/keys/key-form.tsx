import type { ReactNode } from 'react';
import { keyScopes, limits, type KeyScope } from '@swarmdeck/bff/field-rules';
import { nameError } from '../../data/text-errors.ts';
import { endOfLastDay, LastDayField, lastDayError } from '../../shared/ends/last-day.tsx';
import { t } from '../../text/text.ts';
import { LineField } from '../../ui/fields/field.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { FormError } from '../../ui/fields/form-error.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { useNow } from '../../ui/texts/time.tsx';
import type { Outcome } from '../../ui/dialogs/use-closing.ts';
import { useFormValues } from '../../ui/fields/use-form-values.ts';

interface KeyFormProps {
  title: string;
  description: string;
  submit: string;
  /** Without it, the user gives no name. */
  name?: { label: string; value: string; placeholder?: string } | undefined;
  /** The label of the last day. Without it, the key has no end. */
  until?: string;
  /** Whether the user chooses what the key may do. */
  hasScope?: boolean;
  busy: boolean;
  error: Error | null;
  onSubmit(made: { name: string; expires_at?: string; scope?: KeyScope }): void;
  onClose(): void;
  /** Said if it was closed while it sent, and that has succeeded. */
  outcome(data: unknown): Outcome;
  /** Above the fields. */
  note?: ReactNode;
}

/** The dialog that asks for the name and the end of a new key. */
export function KeyForm({
  name: given,
  until: untilLabel,
  hasScope = false,
  busy,
  error,
  onSubmit,
  onClose,
  note,
  ...dialog
}: KeyFormProps) {
  const now = useNow();
  const { values, errors, change, submit } = useFormValues<{
    /** Undefined until the user changes it: what is offered may be known later. */
    name: string | undefined;
    until: string;
    scope: KeyScope;
  }>({
    initial: { name: undefined, until: '', scope: 'all' },
    check: ({ name, until }) => ({
      name: given && nameError((name ?? given.value).trim(), limits.nameLength),
      until: lastDayError(until, now),
    }),
  });
  return (
    <FormDialog
      {...dialog}
      busy={busy}
      // Nobody will see a key that the server creates nevertheless.
      closingNote={t.account.keys.is_sent}
      errors={errors}
      onSubmit={() =>
        submit(({ name, until, scope }) =>
          onSubmit({ name: (name ?? given?.value ?? '').trim(), ...endOfLastDay(until), ...(hasScope && { scope }) }),
        )
      }
      onClose={onClose}
    >
      {note}
      {given && (
        <LineField
          data-autofocus
          label={given.label}
          placeholder={given.placeholder}
          error={errors.name}
          value={values.name ?? given.value}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      )}
      {hasScope && (
        <Segmented<KeyScope>
          label={t.account.keys.scope}
          value={values.scope}
          options={keyScopes.map((value) => ({ value, label: t.account.keys.scopes[value] }))}
          hint={t.account.keys.scope_hints[values.scope]}
          onChange={(scope) => change({ scope })}
        />
      )}
      {untilLabel !== undefined && (
        <LastDayField
          label={untilLabel}
          error={errors.until}
          value={values.until}
          onChange={(until) => change({ until })}
        />
      )}
      <FormError error={error} />
    </FormDialog>
  );
}
