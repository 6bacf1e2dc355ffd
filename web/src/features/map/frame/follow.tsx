import { useMap } from 'react-leaflet';
import { useFollow } from './use-follow.ts';

/** A map that keeps a position in sight. Loads with the first map that may be told to. */
export function Follow(props: Omit<Parameters<typeof useFollow>[0], 'map'>) {
  useFollow({ ...props, map: useMap() });
  return null;
}
