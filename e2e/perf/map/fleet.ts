import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(import.meta.dirname, '../../../bff/src/tests/moving-fleet.fixture.ts');

/** A server that has ended does not answer. */
const longestMoveMs = 60_000;

/** A server with `count` devices that move on request (bff/src/tests/moving-fleet.fixture.ts). */
export interface Fleet extends AsyncDisposable {
  url: string;
  /** How many devices it has. */
  count: number;
  key: string;
  /** Resolves when they have moved and the event has been sent. */
  move(count: number): Promise<void>;
  /** Restarts the server with empty caches. */
  restart(): Promise<void>;
}

export async function startFleet(count: number): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'swarmdeck-bench-'));
  const launch = async () => {
    const child = fork(script, [folder, String(count)], { execArgv: ['--max-semi-space-size=16'] });
    const [ready] = (await once(child, 'message')) as [{ url: string; key: string }];
    return { child, ...ready };
  };
  const end = async () => {
    const exit = once(running.child, 'exit');
    running.child.disconnect();
    await exit;
  };
  let running = await launch();
  let last = Promise.resolve();
  return {
    get url() {
      return running.url;
    },
    count,
    get key() {
      return running.key;
    },
    move(some) {
      last = last.then(async () => {
        running.child.send({ move: some });
        await once(running.child, 'message', { signal: AbortSignal.timeout(longestMoveMs) });
      });
      return last;
    },
    async restart() {
      await last;
      await end();
      running = await launch();
    },
    async [Symbol.asyncDispose]() {
      await last;
      await end();
      rmSync(folder, { recursive: true });
    },
  };
}
