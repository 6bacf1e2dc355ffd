import { createContext } from 'react';

/** The element for the map's attribution, for its layers; null until it is rendered. */
export const MapCredits = createContext<HTMLElement | null>(null);
