import type { ClipboardEvent, ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { readPair, writePosition } from './coordinates.ts';
import type { Coordinates } from './coordinates.ts';
import './position-fields.css';
import { useOwnLocation } from './use-own-location.ts';

/** Sets latitude and longitude as numbers, on the map (`children`), or from the own location. */
export function PositionFields({
  value,
  errors,
  optional = false,
  changed = false,
  readOnly = false,
  onChange,
  children,
}: {
  value: Coordinates;
  errors: Partial<Record<keyof Coordinates, string | undefined>>;
  optional?: boolean;
  changed?: boolean;
  readOnly?: boolean;
  onChange(value: Coordinates): void;
  children?: ReactNode;
}) {
  const here = useOwnLocation((position) => onChange(writePosition(position)));
  const onPaste = (event: ClipboardEvent) => {
    const pair = readPair(event.clipboardData.getData('text'));
    if (!pair) return;
    event.preventDefault();
    onChange(pair);
  };
  const field = (name: keyof Coordinates) => (
    <TextField
      label={t.device.form[name]}
      name={name}
      inputMode="text"
      dir="ltr"
      optional={optional}
      changed={changed && name === 'longitude'}
      value={value[name]}
      readOnly={readOnly}
      error={errors[name]}
      onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
      onPaste={onPaste}
    />
  );
  return (
    <div className="position-fields">
      <div className="position-row">
        {field('latitude')}
        {field('longitude')}
        {!readOnly && (
          <div className="position-buttons">
            {children}
            {children ? (
              <IconButton icon="locate" label={t.device.own_location} busy={here.asking} onClick={here.ask} />
            ) : (
              <Button icon="locate" title={t.device.own_location} busy={here.asking} onClick={here.ask}>
                {t.device.own_location_short}
              </Button>
            )}
          </div>
        )}
      </div>
      <output className="field-error">{here.fault}</output>
    </div>
  );
}
