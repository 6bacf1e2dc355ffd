import type { Device } from '@swarmdeck/bff/contract';
import { createBulkAction } from '../../../bulk/bulk-action.tsx';
import type { ActionOptions, BulkAction, BulkRow, FieldsProps } from '../../../bulk/bulk-action.tsx';
import { t } from '../../../text/text.ts';

/** As much of a selected device as actions need. */
export type SelectedDevice = Pick<
  Device,
  'id' | 'user_id' | 'name' | 'machine_type' | 'description' | 'position' | 'swarms' | 'changed_at'
>;

export type DeviceAction = BulkAction<SelectedDevice>;
export type DeviceFieldsProps<About> = FieldsProps<SelectedDevice, About>;
type ActionName = keyof (typeof t)['bulk']['actions'];

export const textsOf = (name: ActionName) => () => t.bulk.actions[name];

/** A bulk action on devices. Its place in the menu is in bulk-actions.ts. */
export const createDeviceAction = <About extends object>({
  name,
  ...options
}: Omit<ActionOptions<SelectedDevice, About, BulkRow>, 'name' | 'texts' | 'rowOf'> & { name: ActionName }) =>
  createBulkAction<SelectedDevice, About>({
    ...options,
    name: `devices-${name}`,
    texts: textsOf(name),
    rowOf: (device) => ({ id: device.id, name: device.name }),
  });
