const second = 1000;
const minute = 60 * second;
/** In ms. A missing tile may be drawn later. */
const missingFor = 60 * minute;
const failedFor = 30 * second;
/** After this many consecutive failures, the whole server is not asked for a while. */
const inARow = 4;
const firstPause = 15 * second;
const longestPause = minute;
const longestAsked = 10 * minute;
const remembered = 10_000;

/** Recent failures, which prevent requests to a server that is down. */
export interface UpstreamBackoff {
  /** The reason why a tile is not requested now. `forMs` is the remaining time. */
  of(key: string): { kind: 'missing' | 'failed'; forMs: number } | undefined;
  missing(key: string): void;
  /** Returns true if this failure starts a pause for the whole server. `retryAfter` is the server's own value. */
  failed(key: string, retryAfter: number | undefined): boolean;
  succeeded(key: string): void;
}

export function createUpstreamBackoff({ now }: { now: () => Date }): UpstreamBackoff {
  const tiles = new Map<string, { kind: 'missing' | 'failed'; until: number }>();
  let failures = 0;
  let pausedUntil = 0;

  function remember(key: string, kind: 'missing' | 'failed', until: number) {
    tiles.delete(key);
    if (tiles.size >= remembered) tiles.delete(tiles.keys().next().value!);
    tiles.set(key, { kind, until });
  }

  return {
    of(key) {
      const at = now().getTime();
      const known = tiles.get(key);
      if (known && known.until > at) return { kind: known.kind, forMs: known.until - at };
      tiles.delete(key);
      return pausedUntil > at ? { kind: 'failed', forMs: pausedUntil - at } : undefined;
    },
    missing(key) {
      failures = 0;
      remember(key, 'missing', now().getTime() + missingFor);
    },
    failed(key, retryAfter) {
      const at = now().getTime();
      remember(key, 'failed', at + failedFor);
      failures += 1;
      if (failures < inARow && retryAfter === undefined) return false;
      const pause = Math.min(longestPause, firstPause * 2 ** Math.max(0, failures - inARow));
      const begins = pausedUntil <= at;
      pausedUntil = Math.max(pausedUntil, at + Math.max(pause, Math.min(longestAsked, retryAfter ?? 0)));
      return begins;
    },
    succeeded(key) {
      failures = 0;
      tiles.delete(key);
    },
  };
}
