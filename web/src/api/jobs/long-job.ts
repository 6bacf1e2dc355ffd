import { isSignedOut } from '../problem.ts';
import { patienceForMany, patienceForOne, sendEach } from './send-each.ts';

/** They are worth waiting until somebody has signed in again, too. */
const patience = (error: unknown) => (isSignedOut(error) ? 3 : patienceForMany(error));

export interface LongJob {
  pause(): void;
  resume(): void;
  /** What is not sent yet will not be. */
  stop(): void;
  /** All have come to an end, or it was stopped. */
  done: Promise<void>;
}

/** Often enough to be seen to go on; each time costs the lists that show it. */
const tellEvery = 500;

/** One job of many requests on its way (send-each.ts), which is paused and stopped and tells in portions how far it is. */
export function startJob<Row, End>({
  rows,
  send,
  refused,
  tell,
  pause,
  paused = false,
  isMany,
  ...how
}: {
  /** By their place. */
  rows: readonly (readonly [place: number, row: Row])[];
  atOnce?: number;
  send: (row: Row, place: number) => Promise<End>;
  refused: (row: Row, error: unknown) => End;
  tell: (ends: [place: number, end: End][]) => void;
  pause: (seconds: number) => Promise<void>;
  /** It begins once it is resumed. */
  paused?: boolean;
  /** One alone is told at once what went wrong. */
  isMany: boolean;
}): LongJob {
  const stops = Promise.withResolvers<void>();
  let stopped = false;
  let gate = paused ? Promise.withResolvers<void>() : null;
  let fresh: [number, End][] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tellNow() {
    clearTimeout(timer);
    timer = undefined;
    const ends = fresh;
    fresh = [];
    if (ends.length > 0) tell(ends);
  }
  function note(place: number, end: End) {
    fresh.push([place, end]);
    timer ??= setTimeout(tellNow, tellEvery);
  }
  function resume() {
    gate?.resolve();
    gate = null;
  }

  const done = sendEach({
    ...how,
    items: rows,
    patience: isMany ? patience : patienceForOne,
    async send([place, row]) {
      while (gate) await gate.promise;
      if (!stopped) note(place, await send(row, place));
    },
    onRefused: ([place, row], error) => note(place, refused(row, error)),
    stopped: () => stopped,
    pause: (seconds) => Promise.race([pause(seconds), stops.promise]),
  }).then(tellNow);

  return {
    pause() {
      gate ??= Promise.withResolvers();
    },
    resume,
    stop() {
      stopped = true;
      stops.resolve();
      resume();
    },
    done,
  };
}
