import type { ReactNode } from 'react';
import { neverExpected } from '@swarmdeck/bff/field-rules';
import { formatInterval } from '../text/formats.ts';
import { t } from '../text/text.ts';
import { Field } from '../ui/fields/field.tsx';
import { Select } from '../ui/fields/select.tsx';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** In seconds. The API accepts others, too. */
const usual = [minute, 5 * minute, 15 * minute, hour, 6 * hour, day, 7 * day, 30 * day];

interface IntervalFieldProps {
  /** In seconds. */
  value: number | undefined;
  /** What no value means. */
  none: string;
  /** What it means to be never expected, if that can be chosen. */
  never?: string;
  hint?: ReactNode;
  error?: string | undefined;
  changed?: boolean;
  readOnly?: boolean;
  onChange(seconds: number | undefined): void;
}

/** How often a device is expected to be heard. */
export function IntervalField({ value, none, never, readOnly = false, onChange, ...frame }: IntervalFieldProps) {
  const isKnown = value === undefined || value === neverExpected || usual.includes(value);
  const values = isKnown ? usual : [...usual, value].toSorted((a, b) => a - b);
  return (
    <Field label={t.device.form.expected_every} {...frame}>
      {(control) => (
        <Select
          {...control}
          disabled={readOnly}
          value={String(value ?? '')}
          options={[
            { value: '', label: none, quiet: true },
            ...(never === undefined ? [] : [{ value: String(neverExpected), label: never }]),
            ...values.map((seconds) => ({ value: String(seconds), label: formatInterval(seconds) })),
          ]}
          onChange={(seconds) => onChange(seconds === '' ? undefined : Number(seconds))}
        />
      )}
    </Field>
  );
}
