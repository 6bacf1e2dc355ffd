import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ValueFilter } from '../../data/filter-params.ts';
import { valueKeysQuery } from '../../data/values/values.api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Field, TextField } from '../../ui/fields/field.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { Select } from '../../ui/fields/select.tsx';
import './value-dialog.css';

interface ValueDialogProps {
  audience: string;
  chosen: ValueFilter;
  /** The map is coloured by it. Undefined: it is not offered. */
  isColoured: boolean | undefined;
  onChoose(chosen: ValueFilter, isColoured: boolean): void;
  onClose(): void;
}

/** Chooses the value that a list and its map show of each device, and filters by it. */
export function ValueDialog({ audience, chosen, isColoured, onChoose, onClose }: ValueDialogProps) {
  const { data: keys } = useQuery(valueKeysQuery(audience));
  const [key, setKey] = useState(chosen.values?.[0] ?? '');
  const [range, setRange] = useState<Range>({
    from: chosen.value_from?.toString() ?? '',
    to: chosen.value_to?.toString() ?? '',
  });
  const [colours, setColours] = useState(isColoured === true);
  const [errors, setErrors] = useState<RangeErrors>({});
  const known = [...new Set([...(key ? [key] : []), ...(keys ?? []).map((each) => each.key)])];
  // Until they are known, the chosen one may be one.
  const isNumber = key !== '' && (keys?.some((each) => each.key === key && each.kind === 'number') ?? true);
  const submit = () => {
    const found = isNumber ? errorsOf(range) : {};
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const bounds = isNumber ? boundsOf(range) : {};
    const filter = Object.keys(bounds).length > 0 ? { value: key, ...bounds } : {};
    onChoose(key === '' ? {} : { values: [key], ...filter }, isNumber && colours);
    onClose();
  };
  const showNone = () => {
    onChoose({}, false);
    onClose();
  };
  return (
    <FormDialog
      title={t.devices.show_value}
      description={t.values.show_text}
      submit={t.values.show}
      sends={false}
      errors={errors}
      onSubmit={submit}
      onClose={onClose}
      buttons={
        chosen.values && (
          <Button look="quiet" onClick={showNone}>
            {t.values.show_none}
          </Button>
        )
      }
    >
      <Field label={t.values.key} hint={keys?.length === 0 ? t.values.no_keys : undefined}>
        {(control) => (
          <Select
            {...control}
            value={key}
            options={[{ value: '', label: t.values.no_key }, ...known.map((each) => ({ value: each, label: each }))]}
            onChange={setKey}
          />
        )}
      </Field>
      {isNumber && <RangeFields range={range} errors={errors} onChange={setRange} />}
      {isNumber && isColoured !== undefined && (
        <Field label={t.values.colour} hint={t.values.colour_text} quiet>
          {(control) => (
            <Checkbox
              label={t.values.colour}
              aria-describedby={control['aria-describedby']}
              checked={colours}
              onChange={setColours}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

/** What is typed as the bounds of a number. */
interface Range {
  from: string;
  to: string;
}

type RangeErrors = Partial<Range>;

interface RangeFieldsProps {
  range: Range;
  errors: RangeErrors;
  onChange(range: Range): void;
}

function RangeFields({ range, errors, onChange }: RangeFieldsProps) {
  return (
    <div className="line gap-3 even-fields">
      <TextField
        label={t.values.at_least}
        optional
        inputMode="decimal"
        value={range.from}
        error={errors.from}
        onChange={({ currentTarget }) => onChange({ ...range, from: currentTarget.value })}
      />
      <TextField
        label={t.values.at_most}
        optional
        inputMode="decimal"
        value={range.to}
        error={errors.to}
        onChange={({ currentTarget }) => onChange({ ...range, to: currentTarget.value })}
      />
    </div>
  );
}

/** The number of a text, with a comma or a point; NaN if it is none. */
const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.')));

const boundError = (name: keyof Range, text: string): RangeErrors =>
  text.trim() !== '' && !Number.isFinite(numberOf(text)) ? { [name]: t.values.not_a_number } : {};

const errorsOf = ({ from, to }: Range): RangeErrors => ({
  ...(numberOf(from) > numberOf(to) && { to: t.values.too_small }),
  ...boundError('from', from),
  ...boundError('to', to),
});

const bound = (name: 'value_from' | 'value_to', text: string) =>
  Number.isFinite(numberOf(text)) ? { [name]: numberOf(text) } : {};

const boundsOf = ({ from, to }: Range) => ({ ...bound('value_from', from), ...bound('value_to', to) });
