import { createContext } from 'react';

/** Where a map says to whom it is owed, for the layers in it; null until it is there. */
export const MapCredits = createContext<HTMLElement | null>(null);
