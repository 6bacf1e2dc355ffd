import { useQuery } from '@tanstack/react-query';
import type { Device } from '@swarmdeck/bff/contract';
import { deviceRowQuery } from '../resources.api.ts';
import type { DeviceList } from './use-device-list.ts';

/**
 * The selected device: initially from the list if that contains it, then from its own query, because a filtered list is
 * not updated for a device that no longer matches. Undefined while it loads, null if it does not exist.
 */
export function useSelectedDevice({ list, id }: { list: DeviceList; id: string | null }): Device | null | undefined {
  const asked = useQuery({ ...deviceRowQuery(id ?? ''), enabled: id !== null }).data;
  if (id === null) return null;
  const row = list.device(id);
  return asked === null || (asked && !(row && row.changed_at > asked.changed_at)) ? asked : row;
}
