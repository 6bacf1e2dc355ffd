import { Fragment } from 'react';
import type { ReactNode } from 'react';
import { limits } from '@swarmdeck/bff/limits';
import { formatNumber, t } from '../../text/text.ts';
import { LineField, TextArea } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { swarmMerge } from './swarm-form.ts';
import type { SwarmErrors, SwarmField, SwarmValues } from './swarm-form.ts';

interface InputProps {
  values: SwarmValues;
  error: string | undefined;
  isChanged: boolean;
  onChange(values: SwarmValues): void;
}

interface SwarmInput<Value> {
  input(props: InputProps): ReactNode;
  /** The value for display. */
  show(value: Value): string;
}

const swarmInputs: { readonly [Field in SwarmField]: SwarmInput<SwarmValues[Field]> } = {
  name: {
    input: ({ values, error, isChanged, onChange }) => (
      <LineField
        label={t.swarms.form.name}
        name="name"
        placeholder={t.swarms.form.name_placeholder}
        error={error}
        changed={isChanged}
        value={values.name}
        onChange={(event) => onChange({ ...values, name: event.currentTarget.value })}
      />
    ),
    show: (name) => name,
  },
  description: {
    input: ({ values, error, isChanged, onChange }) => (
      <TextArea
        label={t.swarms.form.description}
        name="description"
        optional
        placeholder={t.swarms.form.description_placeholder}
        error={error}
        changed={isChanged}
        value={values.description}
        onChange={(event) => onChange({ ...values, description: event.currentTarget.value })}
      />
    ),
    show: (description) => description,
  },
  public: {
    input: ({ values, onChange }) => (
      <Switch
        label={t.swarms.form.public}
        checked={values.public}
        onChange={(isPublic) => onChange({ ...values, public: isPublic })}
      />
    ),
    show: (isPublic) => (isPublic ? t.swarms.settings.theirs_public : t.swarms.settings.theirs_private),
  },
};

export const showSwarmField = <Field extends SwarmField>(field: Field, values: SwarmValues): string =>
  swarmInputs[field].show(values[field]);

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
  return swarmMerge.fields.map((field) => (
    <Fragment key={field}>
      <Input
        {...{ field, values, onChange }}
        error={errorText(errors, field)}
        isChanged={changed?.includes(field) ?? false}
      />
      {notes?.[field]}
    </Fragment>
  ));
}

function Input({ field, ...props }: InputProps & { field: SwarmField }) {
  return swarmInputs[field].input(props);
}

function errorText(errors: SwarmErrors, field: SwarmField): string | undefined {
  const error = errors[field];
  const say = t.swarms.form.errors;
  if (typeof error !== 'string') return error && t.shell.problems['body.invalid'];
  if (error !== 'too_long') return say[error];
  return say.too_long(formatNumber(field === 'name' ? limits.nameLength : limits.descriptionLength));
}
