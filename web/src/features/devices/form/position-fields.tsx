import { useState, type ClipboardEvent, type ReactNode } from 'react';
import { t } from '../../../text/text.ts';
import { accuracyNote } from '../../../ui/symbols/accuracy.ts';
import { Button, IconButton } from '../../../ui/buttons/button.tsx';
import { TextField } from '../../../ui/fields/field.tsx';
import { useOwnLocation } from '../../../ui/browser/use-own-location.ts';
import { mayBeMinutes, readPair, writePosition, type Coordinates } from './coordinates.ts';
import './position-fields.css';

interface PositionFieldsProps {
  value: Coordinates;
  errors: Partial<Record<keyof Coordinates, string | undefined>>;
  optional?: boolean;
  changed?: boolean;
  readOnly?: boolean;
  onChange(value: Coordinates): void;
  children?: ReactNode;
}

/** Sets latitude and longitude as numbers, on the map (`children`), or from the own location. */
export function PositionFields({
  value,
  errors,
  optional = false,
  changed = false,
  readOnly = false,
  onChange,
  children,
}: PositionFieldsProps) {
  /** The own location as it was filled in. */
  const [found, setFound] = useState<Coordinates & { accuracy: number }>();
  const own = useOwnLocation((position) => {
    const written = writePosition(position);
    setFound({ ...written, accuracy: position.accuracy });
    onChange(written);
  });
  const isFound = found?.latitude === value.latitude && found.longitude === value.longitude;
  /** What is typed is newer than the location that was asked for. */
  const enter = (typed: Coordinates) => {
    own.stop();
    onChange(typed);
  };
  const onPaste = (event: ClipboardEvent) => {
    const pair = readOnly ? null : readPair(event.clipboardData.getData('text'));
    if (!pair) return;
    event.preventDefault();
    enter(pair);
  };
  /** A pair that was typed into one field. Minutes must not overwrite the other field. */
  const split = (text: string) => {
    const pair = readOnly || mayBeMinutes(text) ? null : readPair(text);
    if (pair) enter(pair);
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
      onChange={(event) => enter({ ...value, [name]: event.currentTarget.value })}
      onPaste={onPaste}
      onBlur={() => split(value[name])}
      onKeyDown={(event) => event.key === 'Enter' && split(value[name])}
    />
  );
  return (
    <div className="position-fields">
      <div className="position-row">
        {field('latitude')}
        {field('longitude')}
        {!readOnly && (
          <div className="line even-buttons position-buttons">
            {children}
            {children ? (
              <IconButton icon="locate" label={t.device.own_location} busy={own.isLocating} onClick={own.locate} />
            ) : (
              <Button icon="locate" title={t.device.own_location} busy={own.isLocating} onClick={own.locate}>
                {t.device.own_location_short}
              </Button>
            )}
          </div>
        )}
      </div>
      <output className={own.error ? 'field-error' : 'quiet'}>
        {own.error ? t.device.location_errors[own.error] : isFound && accuracyNote(found.accuracy)}
      </output>
    </div>
  );
}
