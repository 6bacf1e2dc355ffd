/** One connection that is kept up: whatever ends it, another follows, after waits that grow. */
export type Connect = (
  url: string,
  hear: {
    opened: () => void;
    /** `data` is empty where it is told the id alone. */
    told: (data: string, id: string) => void;
    broken: () => void;
  },
) => Connection;

interface Connection {
  close(): void;
}

/** Seconds until the next try. The first is at once: a server that restarts is back before anybody reads about it. */
const patience = [0.3, 2, 4, 8, 15, 30] as const;
/** The server says something every 15 s or so. A connection that sleeps longer is dead, and would not say it. */
const silentAtMost = 45_000;

export interface LiveStream {
  /** Another URL takes over where this one was. */
  reopen(): void;
  /** Does not wait any longer. */
  tryNow(): void;
  close(): void;
}

export function openStream({
  connect,
  urlOf,
  after,
  told,
  opened,
  lost,
  mayTry,
}: {
  connect: Connect;
  /** `after` is the id of the last event that was told, where there is one. */
  urlOf: (after: string | undefined) => string;
  /** The last event that some other tab was told. */
  after: string | undefined;
  told: (data: string, id: string) => void;
  /** `complete`: everything since the last event was, or will be, told. */
  opened: (complete: boolean) => void;
  /** Two tries in a row have failed. */
  lost: () => void;
  /** Nobody is asked while it is known that there is no answer. */
  mayTry: () => boolean;
}): LiveStream {
  let last = after;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let connection: Connection | undefined;

  function open() {
    end();
    if (!mayTry()) return again();
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(broken, silentAtMost);
    };
    heard();
    connection = connect(urlOf(last), {
      opened() {
        heard();
        opened(last !== undefined && failures === 0);
        failures = 0;
      },
      told(data, id) {
        heard();
        if (id !== '') last = id;
        told(data, id);
      },
      broken,
    });
    return undefined;
  }
  /** The browser's own tries know no growing waits, and end for good at an answer that is no stream. */
  function broken() {
    end();
    failures += 1;
    if (failures === 2) lost();
    again();
  }
  function again() {
    const seconds = patience[Math.min(Math.max(failures, 1), patience.length) - 1] ?? 30;
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
