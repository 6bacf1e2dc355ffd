import type { Position } from '@swarmdeck/bff/contract';
import { useMap } from 'react-leaflet';
import type { Insets } from './insets.ts';
import { useFollow } from './use-follow.ts';

/** Keeps a position in sight of the map around it; null: nothing. Loads where something can be followed. */
export function Follow(props: { insets: Insets; position: Position | null; onEnd: () => void }) {
  useFollow({ ...props, map: useMap() });
  return null;
}
