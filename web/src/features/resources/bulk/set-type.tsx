import type { MachineType } from '@swarmdeck/bff/contract';
import { machineTypes } from '@swarmdeck/bff/field-rules';
import { t } from '../../../text/text.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { TypeGlyph } from '../../../ui/type-badge.tsx';
import { createDeviceAction } from './device-action.tsx';

export const setType = createDeviceAction<{ machine_type: MachineType }, 'update'>({
  name: 'set_type',
  kind: 'update',
  icon: 'chip',
  concerns: (device, about) => device.machine_type !== about.machine_type,
  Fields: ({ about, onChange }) => (
    <Segmented<MachineType>
      label={t.bulk.type}
      value={about?.machine_type ?? ''}
      options={machineTypes.map((value) => ({
        value,
        label: t.shell.machine_types[value],
        icon: <TypeGlyph type={value} />,
      }))}
      onChange={(machine_type) => onChange({ machine_type })}
    />
  ),
  aboutOf: (about) => about,
});
