import type { MachineType } from '@swarmdeck/bff/contract';
import { machineTypes } from '@swarmdeck/bff/limits';
import { t } from '../../../text/text.ts';
import { Segmented } from '../../../ui/segmented.tsx';
import { TypeGlyph } from '../../../ui/type-badge.tsx';
import { createDeviceAction } from './device-action.tsx';

export const { action: setType, ResumeJobs } = createDeviceAction<{ machine_type: MachineType }>({
  name: 'set_type',
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
  requestOf: ({ id }, body) => ({ method: 'PUT', path: `/api/resources/${id}`, body }),
  keepsRows: true,
  changes: () => [{ type: 'devices.changed', data: {} }],
});
