import { isAway, ProblemError } from '../problem.ts';

/** Many requests, a few at a time, until all have been answered, refused or stopped. */
export async function sendEach<T>({
  items,
  atOnce = 8,
  send,
  onRefused,
  stopped,
  patience,
  pause,
}: {
  items: Iterable<T> | AsyncIterable<T>;
  atOnce?: number;
  send: (item: T) => Promise<void>;
  onRefused: (item: T, error: unknown) => void;
  stopped: () => boolean;
  /** How long to wait before the same is asked again; null where this concerns the item only. */
  patience: (error: unknown) => number | null;
  pause: (seconds: number) => Promise<void>;
}): Promise<void> {
  const queue = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const work = async () => {
    for (let next = await queue.next(); !next.done && !stopped(); next = await queue.next()) {
      const item = next.value;
      while (!stopped()) {
        try {
          await send(item);
          break;
        } catch (error) {
          const seconds = patience(error);
          if (seconds === null) {
            onRefused(item, error);
            break;
          }
          await pause(seconds);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** One alone is told at once that nobody answers. */
export function patienceForOne(error: unknown): number | null {
  return error instanceof ProblemError && error.problem.status === 429 ? (error.retryAfter ?? 1) : null;
}

/** Many are worth waiting for a server that is starting anew, and for its answer to what a lost connection had sent. */
export function patienceForMany(error: unknown): number | null {
  if (error instanceof ProblemError && error.code === 'idempotency.in_flight') return error.retryAfter ?? 1;
  return isAway(error) ? 3 : patienceForOne(error);
}

/** The `pause` of everywhere but tests. */
export function pauseFor(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
