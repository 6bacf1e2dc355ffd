import { createListeners } from '../listeners.ts';

/** Tells that the cache has what this user has changed. */
export const ownChanges = createListeners();
