import type { AddressInfo } from 'node:net';
import type { Core, Definition } from '../../core/capability.ts';
import { openAddress } from '../../core/config/config.ts';
import type { Address } from '../../core/config/setting-values.ts';
import { addressOf, listen, stop } from '../../core/http/server.ts';
import { createMetrics } from './metrics.ts';
import { serveMetrics } from './serve-metrics.ts';
import { readSettings } from './settings.ts';

/** At once, so that an address that is in use stops the start before anything is created. Scrapes wait for the server. */
async function open(address: Address | undefined, { version }: { version: string }) {
  if (!address) return undefined;
  const server = await openAddress('METRICS', address, (where) => listen(where));
  const metrics = createMetrics({ version });
  const { promise: created, resolve: isCreated } = Promise.withResolvers<Pick<Core, 'measure' | 'report'>>();
  const reportWhenCreated = async (error: unknown) => (await created).report(error);
  serveMetrics({
    server,
    read: async () => metrics.text(await (await created).measure()),
    report: (error) => void reportWhenCreated(error),
  });
  const url = `${addressOf(address, server.address() as AddressInfo)}/metrics`;
  return { count: metrics.count, isCreated, url, stop: () => stop(server) };
}

export const metrics = {
  readSettings,
  open,
  create(core: Core, opened: Awaited<ReturnType<typeof open>>) {
    if (!opened) return {};
    opened.isCreated(core);
    let stopped: Promise<void> | undefined;
    return {
      start: async () => ({ url: opened.url, line: 'The metrics are at' }),
      onAnswered: opened.count,
      stop: () => void (stopped = opened.stop()),
      close: () => stopped,
    };
  },
} satisfies Definition;
