import type { ActionKind, Device } from '@swarmdeck/bff/contract';
import {
  createListAction,
  type BulkAction,
  type FieldsProps,
  type ListActionOptions,
} from '../../../bulk/list-action.tsx';
import { t } from '../../../text/text.ts';

/** As much of a selected device as actions need. */
export type SelectedDevice = Pick<
  Device,
  'id' | 'user_id' | 'name' | 'machine_type' | 'description' | 'position' | 'swarms' | 'changed_at'
>;

export type DeviceAction = BulkAction<SelectedDevice>;
export type DeviceFieldsProps<About> = FieldsProps<SelectedDevice, About>;
type ActionName = keyof (typeof t)['bulk']['actions'];

export const textsOf =
  <Name extends ActionName>(name: Name) =>
  () =>
    t.bulk.actions[name];

/** A bulk action on devices. Its place in the menu is in bulk-actions.ts. */
export const createDeviceAction = <About extends object, Kind extends ActionKind>(
  options: Omit<ListActionOptions<SelectedDevice, About, Kind>, 'texts' | 'itemOf'> & { name: ActionName },
) =>
  createListAction<SelectedDevice, About, Kind>({
    ...options,
    texts: textsOf(options.name),
    itemOf: ({ id, name }) => ({ id, name }),
  });
