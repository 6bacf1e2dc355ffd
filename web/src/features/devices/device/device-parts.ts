/** What the page of a device tells the parts of other features. The route passes these as elements, which read it. */
import type { MachineType, Position, Resource, Swarm } from '@swarmdeck/bff/contract';
import type { ShownTrack } from '../../../data/cache/track.ts';
import type { MapUrlView } from '../../../ui/urls/map-view-url.ts';
import { shareProps } from '../../../shared/share-page.tsx';

interface PositionMap {
  position: Position | null;
  machine_type: MachineType;
  name: string;
  onChange(position: Position): void;
  readOnly: boolean;
  isSilent: boolean;
  placing: boolean;
  /** A new object moves the map and the focus there. */
  place: MapUrlView | null;
  /** Where the map begins, if it was shown before. */
  lastView(): MapUrlView | null;
  onView(view: MapUrlView): void;
  track: ShownTrack | null;
  /** The accuracy of the position, in metres. */
  accuracy: number | undefined;
  onPlaced(): void;
}

interface OwnDevice {
  user_id: string;
  resource_id: string;
  name: string;
}

/** What the user's own device may do, in one of its swarms at least. */
interface DeviceRights {
  device: Resource;
  swarms: Swarm[];
  sends: boolean;
  receives: boolean;
}

export const [PositionMapProvider, usePositionMap] = shareProps<PositionMap>('usePositionMap');
export const [OwnDeviceProvider, useOwnDevice] = shareProps<OwnDevice>('useOwnDevice');
export const [DeviceRightsProvider, useDeviceRights] = shareProps<DeviceRights>('useDeviceRights');
