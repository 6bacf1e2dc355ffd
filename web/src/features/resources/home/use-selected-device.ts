import { useQuery } from '@tanstack/react-query';
import type { Device } from '@swarmdeck/bff/contract';
import { deviceRowQuery } from '../resources.api.ts';
import type { DeviceList } from './use-device-list.ts';

/**
 * The selected device: at once out of the list where that holds it, and asked for by itself, because a list that is
 * narrowed down does not hear of a device that matches no longer. Undefined on its way, null when it is gone.
 */
export function useSelectedDevice({ list, id }: { list: DeviceList; id: string | null }): Device | null | undefined {
  const asked = useQuery({ ...deviceRowQuery(id ?? ''), enabled: id !== null }).data;
  if (id === null) return null;
  const row = list.device(id);
  return asked === null || (asked && !(row && row.changed_at > asked.changed_at)) ? asked : row;
}
