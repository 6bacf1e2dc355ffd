import { useEffect, useState } from 'react';
import { readPalette, watchPalette } from './palette.ts';
import type { Palette } from './palette.ts';

/** The map's colours, updated when the theme changes. */
export function usePalette(): Palette {
  const [palette, setPalette] = useState(() => readPalette(document.body));
  useEffect(() => watchPalette(() => setPalette(readPalette(document.body))), []);
  return palette;
}
