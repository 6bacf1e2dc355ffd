/**
 * What somebody with a link sees, without an account. The stream is read by `fetch`, because an EventSource cannot send the code of
 * the link in a header, and a path or a query would be in logs.
 */
import type { GuestEvent, SharedDevice } from '@swarmdeck/bff/contract';
import { isFromServer } from '../../data/server-response.ts';

/** What has been sent. `devices`: by their keys. */
export type Opened = Omit<Extract<GuestEvent, { type: 'opened' }>, 'type' | 'devices'> & {
  devices: ReadonlyMap<number, SharedDevice>;
};
type Sent = Exclude<GuestEvent, { type: 'ended' }>;

/** `busy`: too many look at once. */
type Failure = 'network' | 'busy';

export interface GuestState {
  /** `ended`: also if there was never such a link. */
  phase: 'connecting' | 'live' | 'lost' | 'ended';
  why?: Failure;
  /** What was last seen. */
  seen?: Opened;
}

export const connecting: GuestState = { phase: 'connecting' };

/** What is seen after an event. */
export function seenAfter(seen: Opened | undefined, event: Sent): Opened | undefined {
  if (event.type === 'opened') {
    const { type: _, devices, ...opened } = event;
    return { ...opened, devices: new Map(devices.map((device) => [device.key, device])) };
  }
  if (!seen) return undefined;
  if (event.type === 'end_changed') return { ...seen, expires_at: event.expires_at };
  const devices = new Map(seen.devices);
  for (const device of event.devices) devices.set(device.key, device);
  for (const key of event.gone ?? []) devices.delete(key);
  return { ...seen, devices, ...(seen.track && { track: trackAfter(seen, event.devices) }) };
}

/** As many as the server keeps. A link may be open on a wall for days. */
const mostPoints = 1000;

/** Only a link that shows one device has a track. */
function trackAfter({ devices, track = [] }: Opened, [device]: readonly SharedDevice[]) {
  if (!device?.position || device.located_at === null) return track;
  const { position, located_at } = device;
  return located_at === devices.get(device.key)?.located_at
    ? track
    : [...track, { at: located_at, ...position }].slice(-mostPoints);
}

/** In ms, after so many failures. The first one is at once: a server that is restarted ends all streams. */
const retriesMs = [200, 2000, 5000, 15_000, 30_000];
/** In ms. The server sends something at least every 17 s. */
const silentMs = 25_000;
/** In ms. A slow network may take as long to open a stream. */
const openingMs = 45_000;
/** In ms. A network that loses everything, as in a tunnel, refuses no attempt. Then it is lost before the attempt has failed. */
const reopeningMs = 5000;

/** Follows a link until it has ended. Returns a function that stops that. */
export function followLink(code: string, onState: (state: GuestState) => void): () => void {
  const stopping = new AbortController();
  void follow({ code, onState, signal: stopping.signal });
  return () => stopping.abort();
}

interface FollowOptions {
  code: string;
  onState: (state: GuestState) => void;
  signal: AbortSignal;
}

async function follow({ code, onState, signal }: FollowOptions): Promise<void> {
  let seen: Opened | undefined;
  const known = () => seen && { seen };
  let isLive = false;
  const lose = (why: Failure) => {
    isLive = false;
    onState({ phase: 'lost', why, ...known() });
  };
  for (let failures = 0; !signal.aborted; failures += 1) {
    const late = isLive ? setTimeout(() => lose('network'), reopeningMs) : undefined;
    const onEvent = (event: Sent) => {
      clearTimeout(late);
      failures = 0;
      seen = seenAfter(seen, event);
      isLive = seen !== undefined;
      if (seen && !signal.aborted) onState({ phase: 'live', seen });
    };
    const result = await readStream({ code, onEvent, signal });
    clearTimeout(late);
    if (signal.aborted) return;
    if (result === 'ended') return onState({ phase: 'ended', ...known() });
    if (result !== 'closed' || failures > 0) lose(result === 'busy' ? 'busy' : 'network');
    const ms = result === 'busy' ? retriesMs.at(-1)! : retriesMs[Math.min(failures, retriesMs.length - 1)]!;
    await pause(ms, signal);
  }
}

interface ReadOptions {
  code: string;
  onEvent: (event: Sent) => void;
  signal: AbortSignal;
}

/** Reads until the stream ends. `closed`: it was open. A browser without a network ends it only later, so a new one is tried then. */
async function readStream({ code, onEvent, signal }: ReadOptions): Promise<'ended' | 'closed' | Failure> {
  const silent = new AbortController();
  let timer = 0;
  const endAfter = (ms: number) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => silent.abort(), ms);
  };
  let isOpen = false;
  try {
    endAfter(openingMs);
    window.addEventListener('offline', () => silent.abort(), { signal: silent.signal });
    const response = await fetch('/guest/events', {
      headers: { 'x-share-code': code },
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (!isFromServer(response)) return 'network';
    if (response.status === 404) return 'ended';
    if (!response.ok || !response.body) return response.status === 429 ? 'busy' : 'network';
    isOpen = true;
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return 'closed';
      endAfter(silentMs);
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue;
        const event = JSON.parse(line.slice('data: '.length)) as GuestEvent;
        if (event.type === 'ended') return 'ended';
        onEvent(event);
      }
    }
  } catch {
    return isOpen ? 'closed' : 'network';
  } finally {
    clearTimeout(timer);
    silent.abort();
  }
}

/** Until the time is over, there is a network again, or nobody waits any more. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const end = () => resolve();
  window.addEventListener('online', end);
  signal.addEventListener('abort', end);
  return promise.finally(() => {
    clearTimeout(timer);
    window.removeEventListener('online', end);
    signal.removeEventListener('abort', end);
  });
}
