import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface Wanted {
  path: string;
  headers: Record<string, string>;
}
/** A message to the reading process. */
export type RequestOptions = { open: Wanted[]; port: number; read: boolean } | { count: true } | { close: true };
export interface Counted {
  open: number;
  events: number;
  bytes: number;
  /** Milliseconds from the commit to the reader. */
  latencies: number[];
}

interface Readers {
  /** `read: false`: the streams open, but never read. */
  open(streams: Wanted[], options?: { read: boolean }): Promise<void>;
  /** The events since the previous call. */
  count(): Promise<Counted>;
  close(): Promise<void>;
}

/** Starts a process that reads streams of this port. */
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
