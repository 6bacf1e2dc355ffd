/** Whether news come by themselves just now (app/live.ts): then nobody needs to look for them as often. */
let live = false;

export const isLive = () => live;

export function setLive(now: boolean): void {
  live = now;
}

/** How long until a page that is seen looks for news: `ms`, or only as a safeguard. For `refetchInterval`. */
export const pulse = (ms: number) => () => (live ? 60_000 : ms);
