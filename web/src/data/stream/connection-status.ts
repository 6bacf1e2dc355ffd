/** The state of the live stream (app/live.ts). While it is live, most queries need not poll (poll-intervals.ts). */
import { useSyncExternalStore } from 'react';
import { createListeners } from '../listeners.ts';
import { onNewPage } from '../new-page.ts';

export type LiveState = 'live' | 'disconnected';

interface ConnectionStatus {
  live: boolean;
  /** Two attempts to connect have failed. */
  isDisconnected: boolean;
  /** When the stream was disconnected, in ms of the local clock; null if it is live or was never live. */
  disconnectedAt: number | null;
  /** How often the stream was opened after an interruption, also one that ended at the first attempt to connect. */
  interruptions: number;
}

const unknown: ConnectionStatus = { live: false, isDisconnected: false, disconnectedAt: null, interruptions: 0 };
let status = unknown;
const { subscribe, notify } = createListeners();
onNewPage(() => {
  status = unknown;
});

export const isLive = () => status.live;

/** In ms. A stream that was cut can look open for this long. */
const longestSilence = 60_000;

/** Until when the events of the stream are complete, in ms of the local clock; 0 if it was never live. */
export function liveUntil(): number {
  if (status.live) return Date.now();
  return status.disconnectedAt === null ? 0 : status.disconnectedAt - longestSilence;
}

/** `state`: undefined if there is no stream. `wasInterrupted`: it was opened again after an interruption. */
export function setLiveState(state: LiveState | undefined, wasInterrupted = false): void {
  const [live, isDisconnected] = [state === 'live', state === 'disconnected'];
  if (live === status.live && isDisconnected === status.isDisconnected && !wasInterrupted) return;
  const ended = status.live ? Date.now() : status.disconnectedAt;
  const interruptions = status.interruptions + Number(wasInterrupted);
  status = { live, isDisconnected, disconnectedAt: live ? null : ended, interruptions };
  notify();
}

export function useConnectionStatus(): ConnectionStatus {
  return useSyncExternalStore(subscribe, () => status);
}
