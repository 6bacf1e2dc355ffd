/** Whether news come by themselves just now (app/live.ts): then nobody needs to look for them. */
let live = false;
/** When they ceased to, in ms of this machine's clock; null: they have not come yet at all. */
let lostAt: number | null = null;
let state: Liveness = { live, lostAt };
const listeners = new Set<() => void>();
/** Of each map that is watched, when the server said last that something moved, in ms of its clock. */
const moved = new Map<string, number>();

export interface Liveness {
  live: boolean;
  lostAt: number | null;
}

export const isLive = () => live;
export const liveness = () => state;

export function setLive(now: boolean): void {
  if (now === live) return;
  live = now;
  lostAt = now ? null : Date.now();
  state = { live, lostAt };
  for (const told of listeners) told();
}

/** A map changed, at that time of the server. */
export function noteMove({ audience, at }: { audience: string; at: number }): void {
  moved.set(audience, at);
}

export const lastMove = (audience: string) => moved.get(audience);

export const subscribeToLiveness = (told: () => void) => {
  listeners.add(told);
  return () => void listeners.delete(told);
};

/** How long until a page that is seen looks for news, in ms: never while they come by themselves. For `refetchInterval`. */
export const pulse = (ms: number) => () => !live && ms;

/** The same for what the stream may leave out (app/live-topics.ts): looked for now and then as a safeguard. */
export const pulseAlways = (ms: number) => () => (live ? 60_000 : ms);
