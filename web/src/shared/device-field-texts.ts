import { neverExpected } from '@swarmdeck/bff/field-rules';
import type { DeviceField, DeviceValues } from '../data/forms/device-fields.ts';
import { formatInterval } from '../text/formats.ts';
import { t } from '../text/text.ts';

/** A form shows the coordinates of a position, an import also what was reported about it. */
type TextField = Exclude<DeviceField, 'position'>;

/** The values of the fields of a device, as they are shown where they are no inputs. */
export const fieldTexts: { [Field in TextField]: (value: NonNullable<DeviceValues[Field]>) => string } = {
  name: (name) => name,
  machine_type: (type) => t.shell.machine_types[type],
  description: (description) => description,
  expected_every: (seconds) => (seconds === neverExpected ? t.device.form.never_expected : formatInterval(seconds)),
  keep_track: (keeps) => (keeps ? t.device.form.track_kept : t.device.form.track_not_kept),
  keep_values: (keeps) => t.device.form.values_times[keeps],
};

/** The text of a field; empty if it has no value. */
export function textOfField<Field extends TextField>(field: Field, value: DeviceValues[Field]): string {
  return value === undefined || value === null ? '' : fieldTexts[field](value);
}
