import type { ReactNode } from 'react';
import { IntervalField } from '../../shared/interval-field.tsx';
import { formatInterval } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { LineField, TextArea } from '../../ui/fields/field.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import type { SwarmErrors, SwarmField, SwarmValues } from './swarm-form.ts';

/** The value of a field for display. */
export function showSwarmField(field: SwarmField, values: SwarmValues): string {
  const { settings } = t.swarms;
  if (field === 'public') return values.public ? settings.theirs_public : settings.theirs_private;
  if (field === 'listed') return values.listed ? settings.theirs_listed : settings.theirs_unlisted;
  if (field === 'accepts_requests') {
    return values.accepts_requests ? t.requests.theirs_accepts : t.requests.theirs_refuses;
  }
  if (field === 'expected_every') {
    return values.expected_every === null ? t.swarms.settings.not_expected : formatInterval(values.expected_every);
  }
  return values[field];
}

interface SwarmFieldsProps {
  values: SwarmValues;
  errors: SwarmErrors;
  changed?: readonly SwarmField[];
  /** Shown below a field. */
  notes?: Partial<Record<SwarmField, ReactNode>>;
  /** Shows also what a new swarm does not have. */
  isExisting?: boolean;
  /** What has changed. */
  onChange(change: Partial<SwarmValues>): void;
}

/** All inputs of a swarm: the same in the dialog that creates one and in its settings. */
export function SwarmFields({ values, errors, changed, notes, isExisting = false, onChange }: SwarmFieldsProps) {
  return (
    <>
      <LineField
        label={t.swarms.form.name}
        name="name"
        placeholder={t.swarms.form.name_placeholder}
        error={errors.name}
        changed={changed?.includes('name') ?? false}
        value={values.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
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
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      {notes?.description}
      <Switch
        label={t.swarms.form.public}
        checked={values.public}
        onChange={(isPublic) => onChange({ public: isPublic })}
      />
      {notes?.public}
      {values.public && isExisting && (
        <Switch label={t.swarms.form.listed} checked={values.listed} onChange={(listed) => onChange({ listed })} />
      )}
      {notes?.listed}
      {values.public && isExisting && (
        <Switch
          label={t.requests.accepts}
          checked={values.accepts_requests}
          onChange={(accepts) => onChange({ accepts_requests: accepts })}
        />
      )}
      {notes?.accepts_requests}
      {isExisting && (
        <IntervalField
          value={values.expected_every ?? undefined}
          none={t.swarms.settings.not_expected}
          hint={t.swarms.settings.expected_hint}
          error={errors.expected_every}
          changed={changed?.includes('expected_every') ?? false}
          onChange={(seconds) => onChange({ expected_every: seconds ?? null })}
        />
      )}
      {notes?.expected_every}
    </>
  );
}
