import { useQuery } from '@tanstack/react-query';
import { usePending } from '../../../data/actions/shown-actions.ts';
import { deviceSwarmsQuery, type DeviceRecord } from '../device.api.ts';

export interface ShownDeviceOptions {
  /** The latest response with the device. */
  read: DeviceRecord;
  /** The signed-in user. */
  user_id: string;
  /** The server says that the device does not exist any more. */
  isDestroyedElsewhere: boolean;
}

/** The device of the page. */
export function useShownDevice(shown: ShownDeviceOptions) {
  const { resource } = shown.read;
  const isOwn = resource.user_id === shown.user_id;
  const swarms = useQuery({ ...deviceSwarmsQuery(resource.id), enabled: isOwn }).data;
  return {
    ...shown,
    resource,
    isOwn,
    /** The swarms of an own device; undefined until they are known. */
    swarms,
    /** The action that deletes the device. */
    going: usePending(`resource:${resource.id}`),
  };
}

export type ShownDevice = ReturnType<typeof useShownDevice>;
