import type { ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { LineField, TextArea } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { SwarmErrors, SwarmField, SwarmValues } from './swarm-form.ts';

/** The value of a field for display. */
export function showSwarmField(field: SwarmField, values: SwarmValues): string {
  if (field !== 'public') return values[field];
  return values.public ? t.swarms.settings.theirs_public : t.swarms.settings.theirs_private;
}

/** All inputs of a swarm: the same in the dialog that creates one and in its settings. */
export function SwarmFields({
  values,
  errors,
  changed,
  notes,
  onChange,
}: {
  values: SwarmValues;
  errors: SwarmErrors;
  changed?: readonly SwarmField[];
  /** Shown below a field. */
  notes?: Partial<Record<SwarmField, ReactNode>>;
  onChange(values: SwarmValues): void;
}) {
  return (
    <>
      <LineField
        label={t.swarms.form.name}
        name="name"
        placeholder={t.swarms.form.name_placeholder}
        error={errors.name}
        changed={changed?.includes('name') ?? false}
        value={values.name}
        onChange={(event) => onChange({ ...values, name: event.currentTarget.value })}
      />
      {notes?.name}
      <TextArea
        label={t.swarms.form.description}
        name="description"
        optional
        placeholder={t.swarms.form.description_placeholder}
        error={errors.description}
        changed={changed?.includes('description') ?? false}
        value={values.description}
        onChange={(event) => onChange({ ...values, description: event.currentTarget.value })}
      />
      {notes?.description}
      <Switch
        label={t.swarms.form.public}
        checked={values.public}
        onChange={(isPublic) => onChange({ ...values, public: isPublic })}
      />
      {notes?.public}
    </>
  );
}
