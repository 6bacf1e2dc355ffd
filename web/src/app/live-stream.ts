/** Opens an event stream. */
export type Connect = (
  url: string,
  handlers: {
    opened: () => void;
    /** `data` is empty if only the id is new. */
    onEvent: (data: string, id: string) => void;
    failed: () => void;
  },
) => Connection;

interface Connection {
  close(): void;
}

/** Seconds until the next attempt. The first one is short, because a restart takes little time. */
const retryDelays = [0.3, 2, 4, 8, 15, 30] as const;
/** In ms. The server sends something at least every 17 s, so a connection that is silent for longer has failed. */
const longestSilence = 25_000;
/** In ms. A slow network may take as long to open one. */
const longestOpening = 45_000;
/** In ms. A network that loses everything, as in a tunnel, refuses no attempt. Then the user is told before the attempt has failed. */
const longestReopening = 5000;

export interface LiveStream {
  /** Connects again with the current URL, after the last event. */
  reopen(): void;
  /** Connects now instead of after the delay. */
  tryNow(): void;
  close(): void;
}

interface OpenStreamOptions {
  connect: Connect;
  /** `after` is the id of the last event, if there is one. */
  urlOf: (after: string | undefined) => string;
  /** The last event that another tab received. */
  after: string | undefined;
  onEvent: (data: string, id: string) => void;
  /** `complete`: no event since the last one is missing. */
  opened: (complete: boolean) => void;
  /** Two attempts in a row have failed, or the second one takes long. */
  disconnected: () => void;
  /** False while the server would reject the connection. */
  mayTry: () => boolean;
}

/** A stream that reconnects with growing delays. */
export function openStream({
  connect,
  urlOf,
  after,
  onEvent,
  opened,
  disconnected,
  mayTry,
}: OpenStreamOptions): LiveStream {
  const ends = new AbortController();
  let last = after;
  let failures = 0;
  let isLost = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  let connection: Connection | undefined;

  function failAfter(ms: number) {
    clearTimeout(silence);
    silence = setTimeout(failed, ms);
  }
  function open() {
    disconnect();
    if (!mayTry()) {
      stopWaiting();
      return scheduleRetry();
    }
    // One that replaces an open connection gets no time of its own: in a tunnel, the user may open one page after the other.
    if (silence === undefined) failAfter(longestOpening);
    connection = connect(urlOf(last), {
      opened() {
        clearTimeout(late);
        failAfter(longestSilence);
        opened(last !== undefined && failures === 0);
        failures = 0;
        isLost = false;
      },
      onEvent(data, id) {
        failAfter(longestSilence);
        if (id !== '') last = id;
        onEvent(data, id);
      },
      failed,
    });
    return undefined;
  }
  /** Replaces the browser's own retries, which have no growing delays and stop after an error response. */
  function failed() {
    disconnect();
    stopWaiting();
    failures += 1;
    if (failures === 1) late = setTimeout(lose, longestReopening);
    else if (!isLost) lose();
    scheduleRetry();
  }
  function lose() {
    isLost = true;
    disconnected();
  }
  function scheduleRetry() {
    const seconds = retryDelays[Math.min(Math.max(failures, 1), retryDelays.length) - 1] ?? 30;
    timer = setTimeout(open, seconds * 1000 * (0.8 + Math.random() * 0.4));
  }
  function disconnect() {
    clearTimeout(timer);
    connection?.close();
    connection = undefined;
  }
  function stopWaiting() {
    clearTimeout(silence);
    clearTimeout(late);
    silence = undefined;
  }
  function reopen() {
    if (connection) open();
  }

  open();
  // A new attempt finds out whether the server can be reached: without a network, a local one can.
  addEventListener('offline', reopen, { signal: ends.signal });
  return {
    reopen,
    tryNow() {
      if (!connection) open();
    },
    close() {
      ends.abort();
      disconnect();
      stopWaiting();
    },
  };
}
