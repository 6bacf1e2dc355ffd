/** A thread that runs the files of others, one after the other (reused-threads.fixture.ts). */
import { syncBuiltinESMExports } from 'node:module';
import threads, { type MessagePort } from 'node:worker_threads';

export interface Use {
  file: string;
  workerData: unknown;
  port: MessagePort;
}

const host = threads.parentPort!;
host.on('message', (use: Use) => void run(use));

async function run({ file, workerData, port }: Use) {
  Object.assign(threads, { workerData, parentPort: port });
  syncBuiltinESMExports();
  await import(file);
  // After what the file does when its port is closed.
  port.once('close', () => setImmediate(() => host.postMessage('idle')));
}
