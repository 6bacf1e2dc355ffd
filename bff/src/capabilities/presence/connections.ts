import type { ConnectionStore } from './connections.store.ts';

/** In ms: the lease of a process that has connections. */
const renewEachMs = 20_000;

/**
 * The devices with a connection to this process. A lease says that the process is there: the connections of one that was killed end
 * with its lease.
 */
export function createConnections({
  store,
  now,
}: {
  store: Pick<ConnectionStore, 'renewProcess' | 'connected'>;
  now: () => Date;
}) {
  const open = new Set<string>();
  /** Devices whose state, connected or not, is not written yet. */
  let changed = new Set<string>();
  let renewedAt: number | undefined;
  let isStopping = false;

  async function renew(at: number) {
    if (open.size === 0 || (renewedAt !== undefined && Math.abs(at - renewedAt) < renewEachMs)) return;
    await store.renewProcess(at);
    renewedAt = at;
  }

  return {
    onChange(id: string, isConnected: boolean): void {
      if (isConnected) open.add(id);
      else open.delete(id);
      changed.add(id);
    },
    /** Another process may have written that the device has no connection any more. */
    changed(id: string): void {
      if (open.has(id)) changed.add(id);
    },
    async write(): Promise<void> {
      if (isStopping) return;
      await renew(now().getTime());
      if (changed.size === 0) return;
      const ids = [...changed];
      changed = new Set();
      try {
        await store.connected(ids.map((id) => ({ id, isConnected: open.has(id) })));
      } catch (error) {
        for (const id of ids) changed.add(id);
        throw error;
      }
    },
    /**
     * The server stops, and its connections end. Most devices connect to the next process within the lease, so nobody is told
     * meanwhile that thousands of them have no connection.
     */
    stop(): void {
      isStopping = true;
    },
    async close(): Promise<void> {
      if (renewedAt !== undefined) await store.renewProcess(now().getTime());
    },
  };
}
