import { useId } from 'react';
import type { Resource } from '@swarmdeck/bff/contract';
import { dayMs } from '@swarmdeck/bff/durations';
import { t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Note } from '../../../ui/notice.tsx';
import { downloadFile } from '../../../ui/save-file.ts';
import { Select } from '../../../ui/select.tsx';

type KeptValues = NonNullable<Resource['keep_values']>;
const times: readonly KeptValues[] = ['sent_at', 'time'];

interface KeepValuesFieldProps {
  /** Empty: not recorded. */
  value: KeptValues | '';
  isChanged: boolean;
  readOnly: boolean;
  /** The id of the device, unless it is new. */
  resource_id: string | undefined;
  onChange(value: KeptValues | ''): void;
}

/** Whether the server keeps what the device says, and by which time. */
export function KeepValuesField({ value, isChanged, readOnly, resource_id, onChange }: KeepValuesFieldProps) {
  const hint = useId();
  const isDeleting = isChanged && value === '' && resource_id !== undefined;
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
      {isDeleting && (
        <Note tone="warn" icon="warning">
          {t.device.form.values_deleted}{' '}
          <Button
            size="row"
            icon="download"
            onClick={() => downloadFile({ name: 'values.csv', path: keptValuesPath(resource_id) })}
          >
            {t.device.form.export_values}
          </Button>
        </Note>
      )}
    </div>
  );
}

const year = 366 * dayMs;

/** The file with all values that are kept. */
const keptValuesPath = (id: string) =>
  `/api/resources/${id}/values?format=csv&from=${new Date(Date.now() - year).toISOString()}`;
