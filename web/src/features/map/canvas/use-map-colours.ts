import { useEffect, useState } from 'react';
import { readMapColours, watchMapColours } from './map-colours.ts';
import type { MapColours } from './map-colours.ts';

/** The map's colours, updated when the theme changes. */
export function useMapColours(): MapColours {
  const [colours, setPalette] = useState(() => readMapColours(document.body));
  useEffect(() => watchMapColours(() => setPalette(readMapColours(document.body))), []);
  return colours;
}
