import { Hono } from 'hono';
import type { Problem as ProblemBody } from '../../contract.ts';
import { onError } from '../../core/http/problem-response.ts';
import { rateTable } from '../../core/limits/limit-tables.ts';
import { createRate } from '../../core/limits/rate.ts';
import { Problem } from '../../core/problem.ts';
import { testBindings } from '../../tests/bindings.fixture.ts';
import { startTileServer, type TileServer } from './tile-server.fixture.ts';
import type { MapArchive } from './archive.ts';
import { createTiles, type TileSource, type Tiles } from './tiles.ts';

/** The tiles module with a real tile server. Only the clock is fake. */
interface TestTiles extends AsyncDisposable {
  server: TileServer;
  request(path: string, init?: RequestInit & { user?: string }): Promise<Response>;
  /** The status, and the code of a problem. */
  outcome(path: string, init?: RequestInit): Promise<string>;
  wait(ms: number): void;
  /** Starts the module again, for another source. */
  restart(changes: { url?: string; attribution?: TileSource['attribution']; archive?: MapArchive }): void;
  warned: { message: string; facts: Record<string, unknown> }[];
  failed: unknown[];
}

export async function createTestTiles({
  burst = rateTable.tiles.burst,
  ...limits
}: TileSource['limits'] & { burst?: number } = {}): Promise<TestTiles> {
  const server = await startTileServer();
  let waited = 0;
  const warned: TestTiles['warned'] = [];
  const failed: unknown[] = [];
  // The clock stands still, so that the rest of a time in seconds is exact.
  const startedAt = Date.now();
  const now = () => new Date(startedAt + waited);
  const rate = createRate({ perSecond: burst / 10, burst, now });
  const open = (changes: Parameters<TestTiles['restart']>[0] = {}) => {
    const source = { url: server.template, attribution: undefined, userAgent: 'Swarmdeck/1.2.3', limits };
    const tiles = createTiles({
      source: { ...source, ...changes },
      publicUrl: 'https://devices.example.org',
      rate,
      userOf: (c) => c.req.header('x-user') ?? 'ann',
      now,
      warn: (message, facts) => void warned.push({ message, facts }),
    });
    const app = new Hono();
    app.route('/api', tiles.routes);
    app.notFound(() => {
      throw new Problem('route.not_found');
    });
    app.onError(onError((error) => error instanceof Problem || failed.push(error)));
    return { app, tiles };
  };
  let opened: { app: Hono; tiles: Tiles } = open();

  const request: TestTiles['request'] = async (path, { user, ...init } = {}) =>
    opened.app.fetch(
      new Request(`https://devices.example.org/api/tiles${path}`, {
        ...init,
        headers: { ...(user && { 'x-user': user }), ...(init.headers as Record<string, string>) },
      }),
      testBindings(),
    );
  return {
    server,
    request,
    async outcome(path, init) {
      const answer = await request(path, init);
      return answer.ok ? String(answer.status) : `${answer.status} ${((await answer.json()) as ProblemBody).code}`;
    },
    wait: (ms) => void (waited += ms),
    restart(changes) {
      void opened.tiles.close();
      opened = open(changes);
    },
    warned,
    failed,
    async [Symbol.asyncDispose]() {
      await opened.tiles.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
