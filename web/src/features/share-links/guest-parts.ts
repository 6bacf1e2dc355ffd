/** What the page of a guest tells its map, which is a part of another feature. The route passes it as an element. */
import type { MachineType, Position, SharedDevice } from '@swarmdeck/bff/contract';
import type { ShownTrack } from '../../data/cache/track.ts';
import { shareProps } from '../../shared/share-page.tsx';

interface GuestMap {
  position: Position;
  machine_type: MachineType;
  name: string;
  accuracy: number | undefined;
  track: ShownTrack | null;
}

export const [GuestMapProvider, useGuestMap] = shareProps<GuestMap>('useGuestMap');

interface GuestSwarmMap {
  devices: ReadonlyMap<number, SharedDevice>;
  /** The key of a device. */
  selected: number | null;
  onSelect(key: number | null): void;
}

export const [GuestSwarmMapProvider, useGuestSwarmMap] = shareProps<GuestSwarmMap>('useGuestSwarmMap');
