import { memo, useMemo, useState } from 'react';
import type { SharedDevice } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';

type Devices = ReadonlyMap<number, SharedDevice>;

interface DeviceSelectProps {
  devices: Devices;
  /** The key of a device. */
  selected: number | null;
  onSelect(key: number | null): void;
}

/** The list of all devices by name, for those who cannot use the map. */
export function DeviceSelect({ devices, ...rest }: DeviceSelectProps) {
  // There may be 10,000 options, and positions change much more often than names.
  const [named, setNamed] = useState(devices);
  if (!hasSameNames(named, devices)) setNamed(devices);
  return <NameSelect devices={named} {...rest} />;
}

const hasSameNames = (before: Devices, now: Devices) =>
  before.size === now.size && [...before.values()].every(({ key, name }) => now.get(key)?.name === name);

const everyDevice = '';
const { compare } = new Intl.Collator(undefined, { numeric: true });

const NameSelect = memo(function NameSelect({ devices, selected, onSelect }: DeviceSelectProps) {
  const texts = t.share_links.guest;
  const options = useMemo(
    () => [
      { value: everyDevice, label: texts.all_devices },
      ...[...devices.values()]
        .toSorted((a, b) => compare(a.name, b.name))
        .map(({ key, name }) => ({ value: String(key), label: name })),
    ],
    [devices, texts],
  );
  return (
    <Field label={texts.device}>
      {(control) => (
        <Select
          {...control}
          value={selected === null ? everyDevice : String(selected)}
          options={options}
          onChange={(value) => onSelect(value === everyDevice ? null : Number(value))}
        />
      )}
    </Field>
  );
});
