import { useId } from 'react';
import { t } from '../../../text/text.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';

interface KeepTrackFieldProps {
  value: boolean;
  isChanged: boolean;
  readOnly: boolean;
  onChange(keeps: boolean): void;
}

/** Whether the server keeps where the device was. */
export function KeepTrackField({ value, isChanged, readOnly, onChange }: KeepTrackFieldProps) {
  const hint = useId();
  return (
    <div className="field">
      <div className="line spread">
        <Checkbox
          label={t.device.form.keep_track}
          aria-describedby={readOnly ? undefined : hint}
          checked={value}
          disabled={readOnly}
          onChange={onChange}
        />
        {isChanged && <span className="field-changed">{t.shell.kit.changed}</span>}
      </div>
      {!readOnly && (
        <p id={hint} className="field-hint muted">
          {t.device.form.keep_track_hint}
        </p>
      )}
    </div>
  );
}
