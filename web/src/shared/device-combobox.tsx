import { useState } from 'react';
import type { NamedItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../text/text.ts';
import { Combobox } from '../ui/fields/combobox.tsx';
import { matchingNames } from '../data/matching-names.ts';

/** So many of the devices that match are listed. */
const mostListed = 200;

interface DeviceComboboxProps {
  label: string;
  /** The label is hidden from sight. */
  quiet?: boolean;
  /** The option for none of them. */
  all: string;
  /** Those to choose from, in their order: all are known, and there may be thousands. */
  devices: readonly NamedItem[];
  /** The ID of the chosen one; empty for all. */
  chosen: string;
  onChoose(id: string): void;
}

/** Chooses one of many devices by its name, or all of them. */
export function DeviceCombobox({ label, quiet, all, devices, chosen, onChoose }: DeviceComboboxProps) {
  const [q, setQ] = useState('');
  const everyDevice = { id: '', text: all };
  const found = q === '' ? devices : matchingNames(devices, q);
  const listed = found.slice(0, mostListed).map(({ id, name }) => ({ id, text: name }));
  const device = devices.find(({ id }) => id === chosen);
  return (
    <Combobox
      label={label}
      quiet={quiet}
      placeholder={all}
      value={device ? { id: device.id, text: device.name } : everyDevice}
      options={q === '' ? [everyDevice, ...listed] : listed}
      q={q}
      isSettled
      note={noteOf({ listed: listed.length, total: found.length, q })}
      onSearch={setQ}
      onChoose={onChoose}
    />
  );
}

function noteOf({ listed, total, q }: { listed: number; total: number; q: string }) {
  if (total === 0) return t.bulk.no_device_found;
  if (total > listed) return t.bulk.first_found(formatNumber(listed), formatNumber(total));
  return q !== '' && t.devices.counted(total);
}
