import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ValueFilter } from '../../data/filter-params.ts';
import { valueKeysQuery } from '../../data/values/values.api.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Select } from '../../ui/select.tsx';
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
  const [from, setFrom] = useState(chosen.value_from?.toString() ?? '');
  const [to, setTo] = useState(chosen.value_to?.toString() ?? '');
  const [colours, setColours] = useState(isColoured === true);
  const [errors, setErrors] = useState<{ from?: string; to?: string }>({});
  const known = [...new Set([...(key ? [key] : []), ...(keys ?? []).map((each) => each.key)])];
  const isNumber = keys?.some((each) => each.key === key && each.kind === 'number') ?? true;
  const submit = () => {
    const isSwapped = isNumber && numberOf(from) > numberOf(to);
    const found = {
      ...(isSwapped && { to: t.values.too_small }),
      ...boundError('from', from),
      ...boundError('to', to),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    const bounds = isNumber ? { ...bound('value_from', from), ...bound('value_to', to) } : {};
    const filter = Object.keys(bounds).length > 0 ? { value: key, ...bounds } : {};
    onChoose(key === '' ? {} : { values: [key], ...filter }, key !== '' && isNumber && colours);
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
          <Button
            look="quiet"
            onClick={() => {
              onChoose({}, false);
              onClose();
            }}
          >
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
      {key !== '' && isNumber && (
        <div className="line gap-3 even-fields">
          <TextField
            label={t.values.at_least}
            optional
            inputMode="decimal"
            value={from}
            error={errors.from}
            onChange={({ currentTarget }) => setFrom(currentTarget.value)}
          />
          <TextField
            label={t.values.at_most}
            optional
            inputMode="decimal"
            value={to}
            error={errors.to}
            onChange={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </div>
      )}
      {key !== '' && isNumber && isColoured !== undefined && (
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

/** The number of a text, with a comma or a point; NaN if it is none. */
const numberOf = (text: string) => (text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.')));

const boundError = (name: 'from' | 'to', text: string) =>
  text.trim() !== '' && !Number.isFinite(numberOf(text)) ? { [name]: t.values.not_a_number } : {};

const bound = (name: 'value_from' | 'value_to', text: string) =>
  Number.isFinite(numberOf(text)) ? { [name]: numberOf(text) } : {};
