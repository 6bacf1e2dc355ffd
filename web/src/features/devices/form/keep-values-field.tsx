import { useId } from 'react';
import type { Resource } from '@swarmdeck/bff/contract';
import { t } from '../../../text/text.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Select } from '../../../ui/fields/select.tsx';

type KeptValues = NonNullable<Resource['keep_values']>;
const times: readonly KeptValues[] = ['sent_at', 'time'];

interface KeepValuesFieldProps {
  /** Empty: not recorded. */
  value: KeptValues | '';
  isChanged: boolean;
  readOnly: boolean;
  onChange(value: KeptValues | ''): void;
}

/** Whether the server keeps what the device says, and by which time. */
export function KeepValuesField({ value, isChanged, readOnly, onChange }: KeepValuesFieldProps) {
  const hint = useId();
  return (
    <div className="field">
      <div className="line spread">
        <Checkbox
          label={t.device.form.keep_values}
          aria-describedby={readOnly ? undefined : hint}
          checked={value !== ''}
          disabled={readOnly}
          onChange={(keeps) => onChange(keeps ? 'sent_at' : '')}
        />
        {isChanged && <span className="field-changed">{t.shell.kit.changed}</span>}
      </div>
      {!readOnly && (
        <p id={hint} className="field-hint muted">
          {t.device.form.keep_values_hint}
        </p>
      )}
      {value !== '' && (
        <label className="line wraps">
          <span className="quiet">{t.device.form.values_time}</span>
          <Select
            value={value}
            disabled={readOnly}
            options={times.map((time) => ({ value: time, label: t.device.form.values_times[time] }))}
            onChange={onChange}
          />
        </label>
      )}
    </div>
  );
}
