/** Whether news come by themselves just now (app/live.ts): then nobody needs to look for them. */
let live = false;

export const isLive = () => live;

export function setLive(now: boolean): void {
  live = now;
}

/** How long until a page that is seen looks for news, in ms: never while they come by themselves. For `refetchInterval`. */
export const pulse = (ms: number) => () => !live && ms;

/** The same for what the stream may leave out (app/live-topics.ts): looked for now and then as a safeguard. */
export const pulseAlways = (ms: number) => () => (live ? 60_000 : ms);
