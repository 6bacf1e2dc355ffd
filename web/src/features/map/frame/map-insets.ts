import { createContext } from 'react';
import type { Insets } from '../geometry/insets.ts';

/** What lies on the map, for the layers in it. */
export const MapInsets = createContext<Insets>({ top: 0, right: 0, bottom: 0, left: 0 });
