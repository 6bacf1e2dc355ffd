import { dayMs, hourMs } from '../../core/limits/durations.ts';
import { imageTypes, tileImageKind, type ImageType } from './image.ts';
import { addressOf, type TileName } from './tile-name.ts';

/** A tile of the source. `lifetime`: how long it may be cached, in ms; undefined if not at all. */
export interface FetchedTile {
  bytes: Buffer;
  type: ImageType | 'application/vnd.mapbox-vector-tile';
  encoding?: 'gzip';
  lifetime: number | undefined;
}

/** The reason why there is no usable tile. For the log; clients do not get it. */
export class UpstreamError extends Error {
  /** The server's Retry-After, in ms. */
  readonly retryAfter: number | undefined;
  constructor(reason: string, retryAfter?: number) {
    super(reason);
    this.name = 'UpstreamError';
    this.retryAfter = retryAfter;
  }
}

/** The limits of one request: the size of a tile in bytes, and the time in ms. */
interface FetchLimits {
  bytes: number;
  ms: number;
}

interface UpstreamRequest {
  signal: AbortSignal;
  traceparent?: string | undefined;
}

/** Returns undefined if there is no such tile. Throws an UpstreamError if the source fails. */
export type Upstream = (name: TileName, request: UpstreamRequest) => Promise<FetchedTile | undefined>;

const redirects = 3;
/** They say nothing about the tile: an invalid key, a timeout, too early, too many requests. */
const failed: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/**
 * Requests tiles from the tile server. It follows redirects only within the origin, accepts only images, decompresses
 * nothing, and aborts responses that are too large or too slow. Returns undefined if there is no such tile.
 * @throws UpstreamError
 */
export function createUpstream(options: {
  template: string;
  referer: string;
  userAgent: string;
  limits: FetchLimits;
  now: () => Date;
}): Upstream {
  const { template, referer, userAgent, limits, now } = options;
  const headers = { accept: imageTypes.join(', '), 'accept-encoding': 'identity', referer, 'user-agent': userAgent };

  async function follow(address: URL, { signal, traceparent }: UpstreamRequest): Promise<Response> {
    let url = address;
    const sent = { ...headers, ...(traceparent !== undefined && { traceparent }) };
    for (let hop = 0; hop <= redirects; hop += 1) {
      const answer = await fetch(url, { headers: sent, signal, redirect: 'manual' });
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || !location) return answer;
      if (!URL.canParse(location, url.href)) throw new UpstreamError('redirects to nowhere');
      url = new URL(location, url);
      if (url.origin !== address.origin) throw new UpstreamError(`redirects to ${url.origin}`);
    }
    throw new UpstreamError('redirects without end');
  }

  async function read(answer: Response): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body ?? []) {
      size += chunk.length;
      if (size > limits.bytes) throw new UpstreamError(`sends more than ${limits.bytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async function tileOf(answer: Response): Promise<FetchedTile | undefined> {
    const { status } = answer;
    // Beyond their last zoom, some servers answer 400 or 403.
    if (status === 204 || (status >= 400 && status < 500 && !failed.has(status))) return undefined;
    if (status !== 200) throw new UpstreamError(`answers ${status}`, retryAfterOf(answer.headers, now()));
    const type = answer.headers.get('content-type') ?? '';
    if (!/^image\/(png|jpe?g|webp)\s*(;|$)/i.test(type)) throw new UpstreamError(`sends ${type || 'no type'}`);
    const coding = answer.headers.get('content-encoding') ?? 'identity';
    if (coding !== 'identity') throw new UpstreamError(`sends an image encoded as ${coding}`);
    const bytes = await read(answer);
    const kind = tileImageKind(bytes);
    if (!kind) throw new UpstreamError('sends no image, not all of it, or one that is too large');
    return { bytes, type: kind, lifetime: lifetimeOf(answer.headers, now()) };
  }

  return async (name, { signal, traceparent }) => {
    const ended = new AbortController();
    const signals = [signal, ended.signal, AbortSignal.timeout(limits.ms)];
    try {
      return await tileOf(await follow(addressOf(template, name), { signal: AbortSignal.any(signals), traceparent }));
    } catch (error) {
      throw error instanceof UpstreamError ? error : new UpstreamError(reasonOf(error));
    } finally {
      // Closes a response that was not read to its end.
      ended.abort();
    }
  };
}

/** `fetch` reports every failure as "fetch failed", with the reason as its cause. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  return cause ? reasonOf(cause) : typeof code === 'string' ? code : message;
}

/** The default of a week, as tile servers request in their policies. */
const unspecified = 7 * dayMs;
/** The minimum, even with `no-cache`: tiles change slowly. */
const shortest = hourMs;
const longest = 30 * dayMs;

/** How long a response may be cached, in ms; undefined if it may not be cached at all. */
function lifetimeOf(headers: Headers, now: Date): number | undefined {
  const directives = (headers.get('cache-control') ?? '').toLowerCase().split(',');
  const valueOf = (name: string) => directives.map((each) => each.trim().split('=')).find(([key]) => key === name);
  if (valueOf('no-store')) return undefined;
  if (valueOf('no-cache')) return shortest;
  const seconds = Number((valueOf('s-maxage') ?? valueOf('max-age'))?.[1]?.replaceAll('"', ''));
  const age = Number(headers.get('age') ?? 0) || 0;
  const expires = Date.parse(headers.get('expires') ?? '') - now.getTime();
  const lifetime = Number.isFinite(seconds) ? (seconds - age) * 1000 : expires;
  return Number.isNaN(lifetime) ? unspecified : Math.min(longest, Math.max(shortest, lifetime));
}

/** `Retry-After` in ms, as seconds or as a date. */
function retryAfterOf(headers: Headers, now: Date): number | undefined {
  const text = headers.get('retry-after');
  if (!text) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
