import type { BatchRequest, BatchResponses, Problem } from '@swarmdeck/bff/contract';
import { batchLimits, limits } from '@swarmdeck/bff/limits';
import { send } from './client.ts';
import { isGone, ProblemError } from './problem.ts';

/** One of many writes. */
export interface BatchedWrite {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
}

/** How a write is sent. */
export interface BatchOptions {
  /** Its `Idempotency-Key`, which only a POST uses. */
  key: string;
  /** It is sent alone, and outlives the page. */
  keepalive?: boolean;
}

interface QueuedWrite {
  write: BatchedWrite & BatchOptions;
  request: BatchRequest;
  resolve(body: unknown): void;
  reject(error: unknown): void;
}

/** Two full batches: the server executes one while the responses to the other are processed. */
export const writesInFlight = 2 * batchLimits.requests;

let queue: QueuedWrite[] = [];
// Timers would be throttled while the tab is hidden.
const flush = new MessageChannel();
flush.port1.addEventListener('message', sendQueue);

/**
 * Sends a write together with the others of the same moment, because a request takes much longer than a write. Each
 * one has its own response. A DELETE succeeds if the record does not exist.
 * @throws ProblemError, OfflineError
 */
export async function sendInBatch<T = unknown>(write: BatchedWrite & BatchOptions): Promise<T> {
  try {
    if (write.keepalive) return await sendAlone<T>(write);
    return await new Promise<T>((resolve, reject) => {
      queue.push({ write, request: requestOf(write), resolve, reject });
      if (queue.length > 1) return;
      // Not earlier: an open port keeps the process of a test running.
      flush.port1.start();
      flush.port2.postMessage(null);
    });
  } catch (error) {
    if (write.method === 'DELETE' && isGone(error)) return undefined as T;
    throw error;
  }
}

async function sendAlone<T>({ key, ...write }: BatchedWrite & BatchOptions): Promise<T> {
  return (await send<T>({ ...write, ...(write.method === 'POST' && { headers: { 'idempotency-key': key } }) })).data;
}

const encoder = new TextEncoder();

function sendQueue() {
  const all = queue;
  queue = [];
  for (let batch: QueuedWrite[] = [], bytes = 0; ;) {
    const next = all.shift();
    const size = next ? encoder.encode(JSON.stringify(next.request)).length + 1 : 0;
    // 20 bytes around the requests.
    if (!next || batch.length === batchLimits.requests || bytes + size > limits.bodyBytes - 20) {
      void sendBatch(batch);
      [batch, bytes] = [[], 0];
    }
    if (!next) return;
    batch.push(next);
    bytes += size;
  }
}

function requestOf({ method, path, body, key }: BatchedWrite & BatchOptions): BatchRequest {
  return {
    method,
    path,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(method === 'POST' && { idempotency_key: key }),
  };
}

async function sendBatch(batch: readonly QueuedWrite[]): Promise<void> {
  const [first] = batch;
  if (!first) return;
  if (batch.length === 1) return sendAlone(first.write).then(first.resolve, first.reject);
  try {
    const requests = batch.map(({ request }) => request);
    const { responses } = (await send<BatchResponses>({ method: 'POST', path: '/api/batch', body: { requests } })).data;
    for (const [index, { resolve, reject }] of batch.entries()) {
      const { status, body, retry_after: retryAfter = null } = responses[index]!;
      if (status >= 400) reject(new ProblemError({ problem: JSON.parse(body) as Problem, retryAfter }));
      else resolve(body === '' ? undefined : JSON.parse(body));
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
