/** What the page of a guest tells its map, which is a part of another feature. The route passes it as an element. */
import type { MachineType, Position } from '@swarmdeck/bff/contract';
import type { ShownTrack } from '../../data/cache/track.ts';
import { shareHook } from '../../ui/share-hook.tsx';

interface GuestMap {
  position: Position;
  machine_type: MachineType;
  name: string;
  accuracy: number | undefined;
  track: ShownTrack | null;
}

export const [GuestMapProvider, useGuestMap] = shareHook(function useGuestMapState(value: GuestMap) {
  return value;
});
