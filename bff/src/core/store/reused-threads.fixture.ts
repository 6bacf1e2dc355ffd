/**
 * Each server of a test starts two threads for its store, and a start takes 45 ms of processor time. With this module, the threads of a
 * store that was closed serve the next one. A test that listens to the event `worker` gets new ones.
 */
import { EventEmitter, once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import threads, { type WorkerOptions } from 'node:worker_threads';
import type { Use } from './reused-thread.fixture.ts';

const { Worker, MessageChannel } = threads;
type Host = InstanceType<typeof Worker>;

const reusable = /\/store\/(read|sqlite\/write)\.thread\.ts$/;
/** By the file that they have run. */
const idle = new Map<string, Host[]>();
let uses = 0;

/** What `createThread` needs of a worker. */
class ReusedThread extends EventEmitter {
  readonly #hosts: Host[];
  readonly #host: Host;
  readonly #channel = new MessageChannel();
  /** Requests without a reply. */
  #open = 0;

  constructor({ href }: URL, workerData: unknown) {
    super();
    this.#hosts = idle.get(href) ?? [];
    idle.set(href, this.#hosts);
    this.#host = this.#hosts.pop() ?? new Worker(new URL('./reused-thread.fixture.ts', import.meta.url));
    this.#host.ref();
    const { port1, port2 } = this.#channel;
    port1.on('message', (reply) => {
      this.#open -= 1;
      this.emit('message', reply);
    });
    for (const event of ['error', 'exit']) this.#host.on(event, (reason) => this.emit(event, reason));
    const use: Use = { file: `${href}?${uses++}`, workerData, port: port2 };
    this.#host.postMessage(use, [port2]);
  }

  postMessage(message: object) {
    if ('request' in message) this.#open += 1;
    this.#channel.port1.postMessage(message);
  }

  async terminate() {
    for (const event of ['error', 'exit']) this.#host.removeAllListeners(event);
    const isIdle = this.#open === 0 && once(this.#host, 'message');
    this.#channel.port1.close();
    if (isIdle) {
      await isIdle;
      this.#host.unref();
      this.#hosts.push(this.#host);
    } else await this.#host.terminate();
    this.emit('exit');
  }
}

const installed = Symbol.for('swarmdeck.reused-threads');
if (!(installed in threads)) {
  const Reusable = function (file: URL, options: WorkerOptions) {
    const isOwn = !reusable.test(file.pathname) || process.listenerCount('worker') > 0;
    return isOwn ? new Worker(file, options) : new ReusedThread(file, options.workerData);
  };
  Object.assign(threads, { Worker: Reusable, [installed]: true });
  syncBuiltinESMExports();
}
