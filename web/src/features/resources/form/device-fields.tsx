import type { ReactNode } from 'react';
import { machineTypes } from '@swarmdeck/bff/limits';
import { t } from '../../../text/text.ts';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TypeGlyph } from '../../../ui/type-badge.tsx';
import './device-fields.css';
import type { DraftErrors } from './device-form.ts';
import type { DeviceField } from './device-merge.ts';
import { draftError } from './draft-error.ts';
import type { Draft } from './draft.ts';
import { PositionFields } from './position-fields.tsx';

const none: DeviceField[] = [];

/** All fields of a device: the same in the dialog that adds one and on its page. */
export function DeviceFields({
  draft,
  errors,
  changed = none,
  readOnly = false,
  positionOptional = false,
  onChange,
  placeButton,
}: {
  draft: Draft;
  errors: DraftErrors;
  changed?: DeviceField[];
  readOnly?: boolean;
  positionOptional?: boolean;
  onChange(draft: Draft): void;
  placeButton?: ReactNode;
}) {
  const typeError = draftError(errors, 'machine_type');
  return (
    <>
      <TextField
        label={t.device.form.name}
        name="name"
        data-autofocus
        placeholder={readOnly ? undefined : t.device.form.placeholder_name}
        dir="auto"
        value={draft.name}
        readOnly={readOnly}
        required
        changed={changed.includes('name')}
        error={draftError(errors, 'name')}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      />
      <div className="device-type">
        <Segmented
          label={t.device.form.machine_type}
          value={draft.machine_type ?? ''}
          disabled={readOnly}
          options={machineTypes.map((type) => ({
            value: type,
            label: t.shell.machine_types[type],
            icon: <TypeGlyph type={type} size={16} />,
          }))}
          onChange={(type) =>
            onChange({ ...draft, machine_type: machineTypes.find((known) => known === type) ?? null })
          }
          tag={changed.includes('machine_type') && <span className="field-changed">{t.device.form.changed}</span>}
        />
        <output className="field-error">{typeError}</output>
      </div>
      <TextArea
        label={t.device.form.description}
        name="description"
        optional
        dir="auto"
        value={draft.description}
        readOnly={readOnly}
        changed={changed.includes('description')}
        error={draftError(errors, 'description')}
        onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
      />
      <PositionFields
        value={draft}
        errors={errors}
        optional={positionOptional}
        changed={changed.includes('position')}
        readOnly={readOnly}
        onChange={(position) => onChange({ ...draft, ...position })}
      >
        {placeButton}
      </PositionFields>
    </>
  );
}

/** Puts the focus into the first field that needs a look. */
export function focusFirstError(form: HTMLElement | null, errors: DraftErrors) {
  const order = ['name', 'machine_type', 'description', 'latitude', 'longitude'] as const;
  const first = order.find((field) => errors[field]);
  if (!first || !form) return;
  const control = first === 'machine_type' ? '.segmented input' : `[name="${first}"]`;
  form.querySelector<HTMLElement>(control)?.focus();
}
