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
/** In ms. The server sends something every 15 s, so a connection that is silent for longer has failed. */
const longestSilence = 45_000;

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
  /** Two attempts in a row have failed. */
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
  let last = after;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let connection: Connection | undefined;

  function open() {
    end();
    if (!mayTry()) return scheduleRetry();
    const restartSilence = () => {
      clearTimeout(silence);
      silence = setTimeout(failed, longestSilence);
    };
    restartSilence();
    connection = connect(urlOf(last), {
      opened() {
        restartSilence();
        opened(last !== undefined && failures === 0);
        failures = 0;
      },
      onEvent(data, id) {
        restartSilence();
        if (id !== '') last = id;
        onEvent(data, id);
      },
      failed,
    });
    return undefined;
  }
  /** Replaces the browser's own retries, which have no growing delays and stop after an error response. */
  function failed() {
    end();
    failures += 1;
    if (failures === 2) disconnected();
    scheduleRetry();
  }
  function scheduleRetry() {
    const seconds = retryDelays[Math.min(Math.max(failures, 1), retryDelays.length) - 1] ?? 30;
    timer = setTimeout(open, seconds * 1000 * (0.8 + Math.random() * 0.4));
  }
  function end() {
    clearTimeout(timer);
    clearTimeout(silence);
    connection?.close();
    connection = undefined;
  }

  open();
  return {
    reopen() {
      if (connection) open();
    },
    tryNow() {
      if (!connection) open();
    },
    close: end,
  };
}
