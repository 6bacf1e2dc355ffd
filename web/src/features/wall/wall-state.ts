import type { Resource } from '@swarmdeck/bff/contract';
import { sharePage } from '../../shared/share-page.tsx';
import { useHoverState } from '../../ui/lists/use-hover.ts';
import { useWallCounts } from './use-wall-counts.ts';
import { useWallDevice } from './use-wall-device.ts';
import { useWallLegend } from './use-wall-legend.ts';
import { useWallList } from './use-wall-list.ts';
import { useWallMap } from './use-wall-map.ts';
import type { WallPlace } from './wall-place.ts';

interface WallStateOptions extends WallPlace {
  /** The selected device from the event stream. */
  liveDevice: Resource | undefined;
}

/** The state of a wall, a hook for each concern. */
export const [WallState, useWall] = sharePage(function useWallState({ liveDevice, ...place }: WallStateOptions) {
  const hover = useHoverState();
  const map = useWallMap();
  const { query, ...counts } = useWallCounts(place);
  const device = useWallDevice({ place, liveDevice, map, counts });
  const list = useWallList(map);
  const legend = useWallLegend(list);
  return { place, hover, map, query, counts, device, list, legend };
});
