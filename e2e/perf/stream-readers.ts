import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Wanted {
  path: string;
  headers: Record<string, string>;
}
/** To the process that reads. */
export type RequestOptions = { open: Wanted[]; port: number; read: boolean } | { count: true } | { close: true };
export interface Counted {
  open: number;
  events: number;
  bytes: number;
  /** Milliseconds from the commit to the reader. */
  latencies: number[];
}

export interface Readers {
  /** `read: false`: these open and never read. */
  open(streams: Wanted[], options?: { read: boolean }): Promise<void>;
  /** What came since it was asked the last time. */
  count(): Promise<Counted>;
  close(): Promise<void>;
}

/** Streams to this port, read in a process of their own. */
export function startReaders(port: number): Readers {
  const child = fork(join(import.meta.dirname, 'stream-readers.process.ts'));
  const request = async (asked: RequestOptions) => {
    const answered = once(child, 'message');
    child.send(asked);
    return ((await answered) as [Counted])[0];
  };
  return {
    open: async (open, { read } = { read: true }) => void (await request({ open, port, read })),
    count: () => request({ count: true }),
    async close() {
      const gone = once(child, 'exit');
      child.send({ close: true } satisfies RequestOptions);
      await gone;
    },
  };
}
