import { imageKind, imageTypes, largestSide } from './image.ts';
import type { ImageType } from './image.ts';

/** The validators of a response, for conditional requests. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

export type Answer =
  | { kind: 'tile'; bytes: Buffer; type: ImageType; validators: Validators; lifetime: number | undefined }
  | { kind: 'unchanged'; lifetime: number | undefined }
  | { kind: 'missing' };

/** The reason why there is no usable response. For the log; clients do not get it. */
export class UpstreamError extends Error {
  /** The server's Retry-After, in ms. */
  readonly retryAfter: number | undefined;
  constructor(reason: string, retryAfter?: number) {
    super(reason);
    this.name = 'UpstreamError';
    this.retryAfter = retryAfter;
  }
}

export interface UpstreamLimits {
  /** The maximum size of a tile in bytes. */
  bytes: number;
  /** Timeouts in ms: until the header, between two chunks of the body, and in total. */
  answerMs: number;
  pauseMs: number;
  totalMs: number;
  atOnce: number;
}

const redirects = 3;
/** Twice the side of an `@2x` tile, in pixels. */
const largest = 2048;

/**
 * Requests tiles from the tile server. It follows redirects only within the origin, accepts only images, decompresses
 * nothing, and aborts responses that are too large or too slow. Rejects with UpstreamError, or with the abort reason of
 * `signal`.
 */
export function createUpstream(options: {
  referer: string;
  userAgent: string;
  limits: UpstreamLimits;
  now: () => Date;
}) {
  const { referer, userAgent, limits, now } = options;

  async function follow(address: URL, init: RequestInit): Promise<Response> {
    let url = address;
    for (let hop = 0; hop <= redirects; hop += 1) {
      const answer = await fetch(url, { ...init, redirect: 'manual' });
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status >= 400 || answer.status === 304 || !location) return answer;
      await answer.body?.cancel();
      if (!URL.canParse(location, url.href)) throw new UpstreamError('redirects to nowhere');
      url = new URL(location, url);
      if (url.origin !== address.origin) throw new UpstreamError(`redirects to ${url.origin}`);
    }
    throw new UpstreamError('redirects without end');
  }

  async function read(answer: Response, onChunk: () => void): Promise<Buffer> {
    const tooLarge = () => new UpstreamError(`sends more than ${limits.bytes} bytes`);
    if (Number(answer.headers.get('content-length')) > limits.bytes) throw tooLarge();
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer.body ?? []) {
      onChunk();
      size += chunk.length;
      if (size > limits.bytes) throw tooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async function resultOf(answer: Response, onChunk: () => void): Promise<Answer> {
    const { status, headers } = answer;
    if (status === 304) return { kind: 'unchanged', lifetime: lifetimeOf(headers, now()) };
    if (status === 404 || status === 410 || status === 204) return { kind: 'missing' };
    if (status !== 200) throw new UpstreamError(`answers ${status}`, retryAfterOf(headers, now()));
    const type = (headers.get('content-type') ?? '')
      .split(';')[0]!
      .trim()
      .toLowerCase()
      .replace('image/jpg', 'image/jpeg');
    if (!imageTypes.includes(type as ImageType)) throw new UpstreamError(`sends ${type || 'no type'}`);
    const coding = headers.get('content-encoding') ?? 'identity';
    if (coding !== 'identity') throw new UpstreamError(`sends a picture packed as ${coding}`);
    const bytes = await read(answer, onChunk);
    const kind = imageKind(bytes);
    if (!kind) throw new UpstreamError(`sends no ${type}, or not all of it`);
    if ((largestSide(bytes, kind) ?? Number.POSITIVE_INFINITY) > largest)
      throw new UpstreamError('sends no tile: too large');
    const [etag, lastModified] = ['etag', 'last-modified'].map((name) => headers.get(name));
    const validators = { ...(etag && { etag }), ...(lastModified && { lastModified }) };
    return { kind: 'tile', bytes, type: kind, validators, lifetime: lifetimeOf(headers, now()) };
  }

  return {
    /** `known`: the validators of the cached tile, which allow the result `unchanged`. */
    async fetch(address: URL, { known, signal }: { known: Validators; signal: AbortSignal }): Promise<Answer> {
      const headers = {
        accept: imageTypes.join(', '),
        'accept-encoding': 'identity',
        referer,
        'user-agent': userAgent,
        ...(known.etag && { 'if-none-match': known.etag }),
        ...(known.lastModified && { 'if-modified-since': known.lastModified }),
      };
      const timeout = AbortSignal.timeout(limits.totalMs);
      const stalled = new AbortController();
      const stall = (reason: string, ms: number) => setTimeout(() => stalled.abort(new UpstreamError(reason)), ms);
      let timer = stall('does not answer', limits.answerMs);
      try {
        const answer = await follow(address, { headers, signal: AbortSignal.any([signal, timeout, stalled.signal]) });
        clearTimeout(timer);
        timer = stall('stops half way', limits.pauseMs);
        const result = await resultOf(answer, () => timer.refresh()).catch(async (error: unknown) => {
          await answer.body?.cancel().catch(() => {});
          throw error;
        });
        // Without this, the connection of an unread body is not used again.
        if (!answer.bodyUsed) await answer.body?.cancel();
        return result;
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        if (timeout.aborted) throw new UpstreamError('takes too long');
        throw error instanceof UpstreamError ? error : new UpstreamError(codeOf(error));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

export type Upstream = ReturnType<typeof createUpstream>;

/** `fetch` reports every failure as "fetch failed", with the reason as its cause. */
function codeOf(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  return cause ? codeOf(cause) : (code ?? message);
}

const hour = 3600_000;
const day = 24 * hour;
/** The default of a week, as tile servers request in their policies. */
const unspecified = 7 * day;
/** The minimum, even with `no-cache`: tiles change slowly. */
const shortest = hour;
/** The maximum. */
const longest = 30 * day;

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
