import { useMap } from 'react-leaflet';
import { useFollow } from './use-follow.ts';

/** Makes a map follow a position. Lazily loaded. */
export function Follow(props: Omit<Parameters<typeof useFollow>[0], 'map'>) {
  useFollow({ ...props, map: useMap() });
  return null;
}
