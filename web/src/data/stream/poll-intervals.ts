/** How often queries are read again, for `refetchInterval`. */
import { isDenied } from '../problem.ts';
import { isLive } from './connection-status.ts';

interface Polled {
  state: { error: unknown };
}

/** In ms. Never while the stream is live, and never what the user may not see. */
export const pollUnlessLive = (ms: number) => (query?: Polled) => !isLive() && !isDenied(query?.state.error) && ms;

/** In ms. For data that the stream may leave out (app/live.ts): once a minute while it is live. */
export const pollRarelyWhileLive = (ms: number) => () => (isLive() ? 60_000 : ms);

/** In ms. The stream has no values of devices: what shows the last ones reads them so often. */
export const lastValuesInterval = 10_000;
