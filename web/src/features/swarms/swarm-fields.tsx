import type { ReactNode } from 'react';
import { limits } from '@swarmdeck/bff/limits';
import { formatNumber, t } from '../../text/text.ts';
import { TextArea, TextField } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import type { SwarmFaults, SwarmField, SwarmValues } from './swarm-form.ts';

/** What a swarm says of itself, as it is created and as it is edited. */
export function SwarmFields({
  values,
  faults,
  changed,
  notes,
  onChange,
}: {
  values: SwarmValues;
  faults: SwarmFaults;
  changed?: readonly SwarmField[];
  /** Stands below a field. */
  notes?: Partial<Record<SwarmField, ReactNode>>;
  onChange(values: SwarmValues): void;
}) {
  const sentence = (field: SwarmField) => {
    const fault = faults[field];
    if (typeof fault !== 'string') return fault?.detail;
    if (fault !== 'too_long') return t.swarms.form.faults[fault];
    return t.swarms.form.faults.too_long(formatNumber(field === 'name' ? limits.nameLength : limits.descriptionLength));
  };
  return (
    <>
      <TextField
        label={t.swarms.form.name}
        name="name"
        placeholder={t.swarms.form.name_placeholder}
        error={sentence('name')}
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
        error={sentence('description')}
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
