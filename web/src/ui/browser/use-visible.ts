import { useSyncExternalStore } from 'react';
import { subscribeTo } from '../../data/listeners.ts';

const subscribe = subscribeTo(document, 'visibilitychange');

/** Whether the page is visible. */
export const useVisible = () => useSyncExternalStore(subscribe, () => !document.hidden);
