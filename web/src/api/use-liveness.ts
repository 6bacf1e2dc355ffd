import { useSyncExternalStore } from 'react';
import { liveness, subscribeToLiveness } from './liveness.ts';
import type { Liveness } from './liveness.ts';

/** Whether news come by themselves, for who says so. */
export function useLiveness(): Liveness {
  return useSyncExternalStore(subscribeToLiveness, liveness);
}
