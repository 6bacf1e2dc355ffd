import { memo, useMemo, useState } from 'react';
import type { SharedDevice } from '@swarmdeck/bff/contract';
import { DeviceCombobox } from '../../shared/device-combobox.tsx';
import { t } from '../../text/text.ts';

type Devices = ReadonlyMap<number, SharedDevice>;

interface DeviceSelectProps {
  devices: Devices;
  /** The key of a device. */
  selected: number | null;
  onSelect(key: number | null): void;
}

/** The list of all devices by name, for those who cannot use the map. */
export function DeviceSelect({ devices, ...rest }: DeviceSelectProps) {
  // There may be 10,000 names, and positions change much more often than names.
  const [named, setNamed] = useState(devices);
  if (!hasSameNames(named, devices)) setNamed(devices);
  return <NameSelect devices={named} {...rest} />;
}

const hasSameNames = (before: Devices, now: Devices) =>
  before.size === now.size && [...before.values()].every(({ key, name }) => now.get(key)?.name === name);

const { compare } = new Intl.Collator(undefined, { numeric: true });

const NameSelect = memo(function NameSelect({ devices, selected, onSelect }: DeviceSelectProps) {
  const named = useMemo(
    () =>
      [...devices.values()]
        .toSorted((a, b) => compare(a.name, b.name))
        .map(({ key, name }) => ({ id: String(key), name })),
    [devices],
  );
  const texts = t.share_links.guest;
  return (
    <DeviceCombobox
      label={texts.device}
      all={texts.all_devices}
      devices={named}
      chosen={selected === null ? '' : String(selected)}
      onChoose={(id) => onSelect(id === '' ? null : Number(id))}
    />
  );
});
