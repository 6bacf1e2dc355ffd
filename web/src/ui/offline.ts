import { createContext } from 'react';

/** True while the browser is offline and the server cannot be reached. */
export const Offline = createContext(false);
