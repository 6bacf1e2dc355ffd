/**
 * Declares the form of a device by field: input, parsing, validation and display. The rules are those of the service;
 * checking them here saves the round trip.
 */
import type { ReactNode } from 'react';
import type { ResourceCreate } from '@swarmdeck/bff/contract';
import { limits, machineTypes } from '@swarmdeck/bff/field-rules';
import { deviceMerge, type DeviceField, type DeviceValues, type Draft } from '../../../data/forms/device-fields.ts';
import { ProblemError } from '../../../data/problem.ts';
import { nameError, textError } from '../../../data/text-errors.ts';
import { fieldTexts } from '../../../shared/device-field-texts.ts';
import { t } from '../../../text/text.ts';
import { LineField, TextArea } from '../../../ui/fields/field.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { TypeGlyph } from '../../../ui/symbols/type-badge.tsx';
import { accuracyOfOwn } from '../../../ui/browser/use-own-location.ts';
import { readCoordinate, coordinateError, readPosition, writeCoordinate, writePosition } from './coordinates.ts';
import { ExpectedField } from './expected-field.tsx';
import { KeepTrackField } from './keep-track-field.tsx';
import { KeepValuesField } from './keep-values-field.tsx';
import { PositionFields } from './position-fields.tsx';

/** An input of the form: a position has two. */
type DraftField = keyof Draft;
/** The error of each input. */
export type DraftErrors = Partial<Record<DraftField, string>>;

interface InputProps {
  draft: Draft;
  errors: DraftErrors;
  isChanged: boolean;
  readOnly: boolean;
  positionOptional: boolean;
  /** The id of the device, unless it is new. */
  resource_id: string | undefined;
  onChange(draft: Draft): void;
  placeButton: ReactNode;
}

interface FormField<Field extends DeviceField> {
  label(): string;
  parts: readonly DraftField[];
  toDraft(value: DeviceValues[Field]): Partial<Draft>;
  /** Undefined if an input of the field is empty or invalid. */
  read(draft: Draft): DeviceValues[Field] | undefined;
  check(draft: Draft): Partial<Record<DraftField, string | undefined>>;
  /** Default: the text of an input differs. */
  isChanged?(draft: Draft, base: DeviceValues[Field]): boolean;
  input(props: InputProps): ReactNode;
  /** The value for display. */
  text(value: NonNullable<DeviceValues[Field]>): string;
}

export const deviceForm: { readonly [Field in DeviceField]: FormField<Field> } = {
  name: {
    label: () => t.device.form.name,
    parts: ['name'],
    toDraft: (name) => ({ name }),
    read: ({ name }) => name,
    check: ({ name }) => ({ name: nameError(name, limits.nameLength) }),
    input: ({ draft, errors, isChanged, readOnly, onChange }) => (
      <LineField
        label={t.device.form.name}
        name="name"
        data-autofocus
        placeholder={readOnly ? undefined : t.device.form.placeholder_name}
        value={draft.name}
        readOnly={readOnly}
        required
        changed={isChanged}
        error={errors.name}
        onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
      />
    ),
    text: fieldTexts.name,
  },
  machine_type: {
    label: () => t.device.form.machine_type,
    parts: ['machine_type'],
    toDraft: (type) => ({ machine_type: type }),
    read: ({ machine_type }) => machine_type ?? undefined,
    check: ({ machine_type }) => ({
      machine_type: machine_type === null ? t.device.form.errors.missing_machine_type : undefined,
    }),
    input: ({ draft, errors, isChanged, readOnly, onChange }) => (
      <Segmented
        label={t.device.form.machine_type}
        value={draft.machine_type ?? ''}
        disabled={readOnly}
        required
        hint={!readOnly && t.device.form.machine_type_hint}
        error={errors.machine_type}
        options={machineTypes.map((type) => ({
          value: type,
          label: t.shell.machine_types[type],
          icon: <TypeGlyph type={type} size={16} />,
        }))}
        onChange={(type) => onChange({ ...draft, machine_type: machineTypes.find((known) => known === type) ?? null })}
        tag={isChanged && <span className="field-changed">{t.device.form.changed}</span>}
      />
    ),
    text: fieldTexts.machine_type,
  },
  description: {
    label: () => t.device.form.description,
    parts: ['description'],
    toDraft: (description = '') => ({ description }),
    read: ({ description }) => (description === '' ? undefined : description),
    check: ({ description }) => ({ description: textError(description, limits.descriptionLength) }),
    input: ({ draft, errors, isChanged, readOnly, onChange }) => (
      <TextArea
        label={t.device.form.description}
        name="description"
        optional={!readOnly}
        value={draft.description}
        readOnly={readOnly}
        changed={isChanged}
        error={errors.description}
        onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
      />
    ),
    text: fieldTexts.description,
  },
  position: {
    label: () => t.device.form.position,
    parts: ['latitude', 'longitude'],
    toDraft: writePosition,
    read: readPosition,
    check: (draft) => ({
      latitude: coordinateError(draft, 'latitude'),
      longitude: coordinateError(draft, 'longitude'),
    }),
    // "52,924" is equal to 52.924.
    isChanged: (draft, base) =>
      (['latitude', 'longitude'] as const).some(
        (part) => draft[part] !== writePosition(base)[part] && readCoordinate(draft[part], part) !== base?.[part],
      ),
    input: ({ draft, errors, isChanged, readOnly, positionOptional, onChange, placeButton }) => (
      <PositionFields
        value={draft}
        errors={errors}
        optional={positionOptional}
        changed={isChanged}
        readOnly={readOnly}
        onChange={(position) => onChange({ ...draft, ...position })}
      >
        {placeButton}
      </PositionFields>
    ),
    text: ({ latitude, longitude }) => `${writeCoordinate(latitude)}, ${writeCoordinate(longitude)}`,
  },
  expected_every: {
    label: () => t.device.form.expected_every,
    parts: ['expected_every'],
    toDraft: (seconds) => ({ expected_every: String(seconds ?? '') }),
    read: ({ expected_every }) => (expected_every === '' ? undefined : Number(expected_every)),
    check: () => ({}),
    input: ({ draft, errors, isChanged, readOnly, resource_id, onChange }) => (
      <ExpectedField
        value={draft.expected_every === '' ? undefined : Number(draft.expected_every)}
        isChanged={isChanged}
        readOnly={readOnly}
        resource_id={resource_id}
        error={errors.expected_every}
        onChange={(seconds) => onChange({ ...draft, expected_every: String(seconds ?? '') })}
      />
    ),
    text: fieldTexts.expected_every,
  },
  keep_track: {
    label: () => t.device.form.keep_track,
    parts: ['keep_track'],
    toDraft: (keeps = false) => ({ keep_track: keeps }),
    read: ({ keep_track }) => keep_track || undefined,
    check: () => ({}),
    input: ({ draft, isChanged, readOnly, onChange }) => (
      <KeepTrackField
        value={draft.keep_track}
        isChanged={isChanged}
        readOnly={readOnly}
        onChange={(keep_track) => onChange({ ...draft, keep_track })}
      />
    ),
    text: fieldTexts.keep_track,
  },
  keep_values: {
    label: () => t.device.form.keep_values,
    parts: ['keep_values'],
    toDraft: (keeps) => ({ keep_values: keeps ?? '' }),
    read: ({ keep_values }) => (keep_values === '' ? undefined : keep_values),
    check: () => ({}),
    input: ({ draft, isChanged, readOnly, onChange }) => (
      <KeepValuesField
        value={draft.keep_values}
        isChanged={isChanged}
        readOnly={readOnly}
        onChange={(keep_values) => onChange({ ...draft, keep_values })}
      />
    ),
    text: fieldTexts.keep_values,
  },
};
const { fields } = deviceMerge;

interface DeviceFieldsProps {
  draft: Draft;
  errors: DraftErrors;
  changed?: readonly DeviceField[];
  readOnly?: boolean;
  positionOptional?: boolean;
  resource_id?: string;
  onChange(draft: Draft): void;
  placeButton?: ReactNode;
}

/** All inputs of a device, in the dialog that adds one and on its page. */
export function DeviceFields({
  draft,
  errors,
  changed,
  readOnly = false,
  positionOptional = false,
  resource_id,
  onChange,
  placeButton,
}: DeviceFieldsProps) {
  const props = { draft, errors, readOnly, positionOptional, resource_id, onChange, placeButton };
  return fields.map((field) => (
    <Input key={field} field={field} {...props} isChanged={changed?.includes(field) ?? false} />
  ));
}

function Input({ field, ...props }: InputProps & { field: DeviceField }) {
  return deviceForm[field].input(props);
}

/** The value of a field for display; empty if there is none. */
export function fieldText<Field extends DeviceField>(field: Field, value: DeviceValues[Field]): string {
  return value === undefined ? '' : deviceForm[field].text(value);
}

export function toDraft(values: DeviceValues): Draft {
  const draftOf = <Field extends DeviceField>(field: Field) => deviceForm[field].toDraft(values[field]);
  return Object.assign({}, ...fields.map(draftOf)) as Draft;
}

export function checkDraft(draft: Draft): DraftErrors {
  const found = fields.flatMap((field) => Object.entries(deviceForm[field].check(draft)));
  return Object.fromEntries(found.filter(([, error]) => error !== undefined));
}

/** The errors that still exist: an error disappears as soon as it is corrected. */
export function remainingErrors(errors: DraftErrors, draft: Draft): DraftErrors {
  return Object.fromEntries(Object.entries(checkDraft(draft)).filter(([part]) => part in errors));
}

/** The values of a draft without errors, or null. */
export function readDraft(draft: Draft): DeviceValues | null {
  if (Object.keys(checkDraft(draft)).length > 0) return null;
  return Object.fromEntries(fields.map((field) => [field, deviceForm[field].read(draft)])) as unknown as DeviceValues;
}

/** The device of a draft without errors, or null. Spaces around its name are removed. An own location has its accuracy. */
export function newDevice(draft: Draft): ResourceCreate | null {
  const values = readDraft(draft);
  if (!values) return null;
  const report = { accuracy: accuracyOfOwn(values.position) };
  const given = Object.entries({ ...values, ...report }).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(given) as unknown as ResourceCreate), name: values.name.trim() };
}

/** The changed fields: compared by value, or by text if the value is invalid. */
export function draftChanges({ base, draft }: { base: DeviceValues; draft: Draft }): DeviceField[] {
  const before = toDraft(base);
  const isChanged = <Field extends DeviceField>(field: Field) => {
    const { isChanged: differs, parts: own } = deviceForm[field];
    return differs ? differs(draft, base[field]) : own.some((part) => draft[part] !== before[part]);
  };
  return fields.filter(isChanged);
}

/** The inputs of some fields. */
export function partsOf(draft: Draft, picked: readonly DeviceField[]): Partial<Draft> {
  return Object.fromEntries(picked.flatMap((field) => deviceForm[field].parts).map((part) => [part, draft[part]]));
}

/** The values of a draft that may have errors. Unchanged fields keep their exact values. */
export function draftValues({ base, draft }: { base: DeviceValues; draft: Draft }): DeviceValues {
  const read = draftChanges({ base, draft }).map((field) => [field, deviceForm[field].read(draft)] as const);
  const values = { ...base, ...Object.fromEntries(read) };
  return { ...values, machine_type: values.machine_type ?? base.machine_type };
}

/**
 * Updates a form whose device was changed elsewhere: unchanged fields take the new values, edited ones keep their text.
 * A field that both sides changed keeps its old base, so that saving finds the conflict.
 */
export function rebase(form: { base: DeviceValues; draft: Draft; theirs: DeviceValues }): {
  base: DeviceValues;
  draft: Draft;
  contested: DeviceField[];
} {
  const { draft, theirs } = form;
  const mine = draftChanges(form);
  const values = draftValues(form);
  const byThem = deviceMerge.changed({ base: form.base, mine: theirs });
  const contested = mine.filter((field) => byThem.includes(field) && !deviceMerge.isEqual(field, values, theirs));
  return {
    base: deviceMerge.take(theirs, form.base, contested),
    draft: { ...toDraft(theirs), ...partsOf(draft, mine) },
    contested,
  };
}

/** The inputs that the server has rejected. `isOther`: it has rejected something else, too. */
export function problemErrors(error: Error | null): { fields: DraftErrors; isOther: boolean } {
  const errors = (error instanceof ProblemError && error.problem.errors) || [];
  const rejected = errors.map(({ pointer }) => partAt(pointer));
  const named = rejected.filter((part) => part !== undefined);
  return {
    fields: Object.fromEntries(named.map((part) => [part, t.problems['body.invalid']])),
    isOther: errors.length === 0 || named.length < errors.length,
  };
}

/** `/name`, `/position` or `/position/latitude`. */
function partAt(pointer: string): DraftField | undefined {
  const [, name, part, ...rest] = pointer.split('/');
  const field = fields.find((known) => known === name);
  if (!field || rest.length > 0) return undefined;
  const { parts: own } = deviceForm[field];
  return part === undefined ? own[0] : own.find((known) => known === part);
}
