import { useQuery } from '@tanstack/react-query';
import type { Device } from '@swarmdeck/bff/contract';
import { deviceRowQuery } from './resources.api.ts';
import type { DeviceList } from './use-device-list.ts';

/** The selected device: out of the list where it holds it, else asked for. Undefined on its way, null when it is gone. */
export function useSelectedDevice({ list, id }: { list: DeviceList; id: string | null }): Device | null | undefined {
  const row = id === null ? undefined : list.device(id);
  const asked = useQuery({ ...deviceRowQuery(id ?? ''), enabled: id !== null && row === undefined });
  return id === null ? null : (row ?? asked.data);
}
