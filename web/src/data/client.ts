import type { Answers } from '@swarmdeck/bff/contract';
import { parseMessages } from './exact-json.ts';
import { confirmation } from './confirmation.ts';
import { onNewPage } from './new-page.ts';
import { feedPosition } from './stream/feed-position.ts';
import { needsConfirmation, OfflineError, problemOf } from './problem.ts';
import { pathTo, type Params, type Path, type Reads } from './path-to.ts';
import { observeServerTime, serverNow } from './server-clock.ts';
import { isFromServer } from './server-response.ts';

interface RequestOptions<T = unknown> {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string | Path<T>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Lets the request outlive the page, if its body is short. */
  keepalive?: boolean;
  /** It changes nothing that the user would have to check after a lost answer, such as a sign-in. */
  changesNothing?: boolean;
}

interface Answer<T> {
  data: T;
  etag: string | null;
  /** Server time of the answer, ISO. */
  at: string;
}

/** In characters, each of up to 3 bytes: browsers refuse bodies over 64 KiB with `keepalive`. */
const mostKeptAlive = 20_000;

/** In ms. Proxies wait as long for a server. */
const longestWait = 60_000;
/** In ms: a slow network needs minutes for the positions of all devices. */
const longestBody = 300_000;
/** In characters: a longer body may take longer to send. */
const mostInTime = 64_000;

/** When the writes that the server has not answered were sent, in ms. Large ones are left out: they take long to send. */
export const unansweredWrites = new Map<AbortController, number>();
onNewPage(() => unansweredWrites.clear());

/**
 * A request to which nothing is answered, as in a network that takes what it is sent and drops it, fails like one without a network:
 * browsers wait for minutes, and without end for the rest of a response. What is answered slowly is waited for.
 */
async function fetchInTime(path: string, { signal, ...init }: RequestInit) {
  const limit = new AbortController();
  const isBounded = ((init.body as string | null)?.length ?? 0) <= mostInTime;
  const abortAfter = (ms: number) => setTimeout(() => limit.abort(new TypeError('No response')), ms);
  let timer = isBounded ? abortAfter(longestWait) : undefined;
  if (isBounded && init.method !== 'GET') unansweredWrites.set(limit, Date.now());
  const aborted = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
  try {
    const sent = Date.now();
    const response = await fetch(path, { ...init, signal: aborted });
    if (isFromServer(response)) {
      observeServerTime({ date: response.headers.get('date') ?? '', sent, now: Date.now() });
    }
    clearTimeout(timer);
    unansweredWrites.delete(limit);
    timer = abortAfter(longestBody);
    return { response, text: await response.text() };
  } catch (error) {
    // Browsers reject the text with an error of their own.
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    clearTimeout(timer);
    unansweredWrites.delete(limit);
  }
}

/**
 * The only function of the app that sends requests. If the user has to confirm first that it is them, it asks, and sends the
 * request again.
 * @throws ProblemError, OfflineError, or the abort reason of `signal`
 */
export async function send<T>(options: RequestOptions<T>): Promise<Answer<T>> {
  try {
    return await sendOnce<T>(options);
  } catch (error) {
    if (!needsConfirmation(error) || !(await confirmation.ask())) throw error;
    return sendOnce<T>(options);
  }
}

async function sendOnce<T>({
  method = 'GET',
  path,
  body,
  headers,
  signal,
  keepalive = false,
  changesNothing = method === 'GET',
}: RequestOptions): Promise<Answer<T>> {
  const isWrite = !changesNothing;
  const sent = body === undefined ? null : JSON.stringify(body);
  const json = body !== undefined && { 'content-type': 'application/json' };
  // A network that goes while the request is under way may have delivered it.
  const hadNetwork = navigator.onLine;
  try {
    const { response, text } = await fetchInTime(path, {
      method,
      headers: { accept: 'application/json', ...json, ...headers },
      body: sent,
      signal: signal ?? null,
      // The server sends no request elsewhere. What does cannot be followed to another site, which would look like no network.
      redirect: 'manual',
      keepalive: keepalive && (sent?.length ?? 0) <= mostKeptAlive,
    });
    const isOurs = isFromServer(response);
    if (isOurs && response.status === 401) feedPosition.noteRefusal(response.headers.get('last-event-id'));
    if (!isOurs || !response.ok) throw problemOf({ response, text, isWrite });
    if (path.startsWith('/api/')) feedPosition.note(response.headers.get('last-event-id'));
    return {
      data: (text === '' ? undefined : parseMessages(text)) as T,
      etag: response.headers.get('etag'),
      at: new Date(serverNow()).toISOString(),
    };
  } catch (error) {
    // JSON that a network has cut, or put something into.
    if (error instanceof SyntaxError) throw new OfflineError(error.message, { isUnknown: isWrite });
    if (signal?.aborted || !(error instanceof TypeError)) throw error;
    // Without a network, nothing was sent.
    throw new OfflineError(error.message, { isUnknown: isWrite && hadNetwork });
  }
}

interface ReadOptions {
  query?: string | URLSearchParams;
  signal?: AbortSignal | undefined;
}

/** What the server answers to `GET path`. */
export async function read<P extends Reads>(
  path: P,
  params: Params<P>,
  { query, signal }: ReadOptions = {},
): Promise<Answers[P]> {
  return (await send<Answers[P]>({ path: pathTo(path, params, query), ...(signal && { signal }) })).data;
}

/** A file of the app itself, or another answer that is not JSON. */
export async function loadBytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(path, signal && { signal });
  if (!response.ok || !isFromServer(response)) throw problemOf({ response, text: await response.text() });
  return response.arrayBuffer();
}
