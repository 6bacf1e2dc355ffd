import type { MachineType, Position } from '@swarmdeck/bff/contract';
import { shareProps } from '../../../shared/share-page.tsx';

interface MappedDevice {
  position: Position;
  machine_type: MachineType;
  name: string;
}

/** The device of the open invitation, for its small map. The route passes this map as an element, which reads it. */
export const [MappedDeviceProvider, useMappedDevice] = shareProps<MappedDevice>('useMappedDevice');
