import type { ReactNode } from 'react';
import type { Resource } from '@swarmdeck/bff/contract';
import { HoverProvider } from '../../ui/use-hover.ts';
import { WallCountsProvider } from './use-wall-counts.ts';
import { WallDeviceProvider } from './use-wall-device.ts';
import { WallLegendProvider } from './use-wall-legend.ts';
import { WallListProvider } from './use-wall-list.ts';
import { WallMapProvider } from './use-wall-map.ts';
import { WallPlaceProvider, type WallPlace } from './use-wall-place.ts';

interface WallStateProps extends WallPlace {
  /** The selected device from the event stream. */
  liveDevice: Resource | undefined;
  children: ReactNode;
}

/** The state of a wall, a hook for each concern. A hook reads those around it. */
export function WallState({ liveDevice, children, ...place }: WallStateProps) {
  return (
    <WallPlaceProvider {...place}>
      <HoverProvider>
        <WallMapProvider>
          <WallCountsProvider>
            <WallDeviceProvider liveDevice={liveDevice}>
              <WallListProvider>
                <WallLegendProvider>{children}</WallLegendProvider>
              </WallListProvider>
            </WallDeviceProvider>
          </WallCountsProvider>
        </WallMapProvider>
      </HoverProvider>
    </WallPlaceProvider>
  );
}
