import { createContext } from 'react';

/** While the browser is offline and the server cannot be reached: why nothing can be sent. `explain` shows it. */
export const Offline = createContext<{ reason: string; explain(): void } | null>(null);

/** The server cannot be reached: what changes by itself is shown as it was last known. */
export const Away = createContext(false);
