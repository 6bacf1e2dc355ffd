import { createContext } from 'react';
import type { Insets } from '../geometry/insets.ts';

/** The insets of the map, for its layers. */
export const MapInsets = createContext<Insets>({ top: 0, right: 0, bottom: 0, left: 0 });
