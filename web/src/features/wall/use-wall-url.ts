import { useUrlState, type SetUrlState } from '../../ui/urls/url-state.ts';
import { wallUrl, type WallUrl } from './wall-layers.ts';
import { useWall } from './wall-state.ts';

/** The state in the URL. If a change ends following, the view of the map is written too. */
export function useWallUrl(): [WallUrl, SetUrlState<WallUrl>] {
  const [url] = useUrlState(wallUrl);
  return [url, useWall('map').setUrl];
}
