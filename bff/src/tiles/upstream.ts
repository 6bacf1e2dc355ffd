import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { imageKind, imageTypes } from './image-kind.ts';
import type { ImageType } from './image-kind.ts';
import { largestSide } from './image-size.ts';
import { lifetimeOf, retryAfterOf } from './lifetime.ts';

/** The validators of a response, for conditional requests. */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

type Answer =
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
const headBytes = 16_384;

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
  const pool = { keepAlive: true, maxSockets: limits.atOnce, maxFreeSockets: limits.atOnce, timeout: 30_000 };
  const agents = { 'http:': new Agent(pool), 'https:': new SecureAgent(pool) };

  function open(url: URL, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const secure = url.protocol === 'https:';
      const agent = secure ? agents['https:'] : agents['http:'];
      const ask = secure ? secureRequest : request;
      const sent = ask(url, { agent, headers, signal, maxHeaderSize: headBytes });
      const timer = setTimeout(() => sent.destroy(new UpstreamError('does not answer')), limits.answerMs);
      // A protocol upgrade emits neither response nor error.
      sent.once('close', () => {
        clearTimeout(timer);
        reject(new UpstreamError('ends before its answer'));
      });
      sent.once('response', (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  async function follow(address: URL, asked: { headers: Record<string, string>; signal: AbortSignal }) {
    let url = address;
    for (let hop = 0; hop <= redirects; hop += 1) {
      const answer = await open(url, asked);
      const { location } = answer.headers;
      const code = answer.statusCode ?? 0;
      if (code < 300 || code >= 400 || code === 304 || !location) return answer;
      answer.destroy();
      if (!URL.canParse(location, url.href)) throw new UpstreamError('redirects to nowhere');
      url = new URL(location, url);
      if (url.origin !== address.origin) throw new UpstreamError(`redirects to ${url.origin}`);
    }
    throw new UpstreamError('redirects without end');
  }

  async function read(answer: IncomingMessage): Promise<Buffer> {
    const tooLarge = () => new UpstreamError(`sends more than ${limits.bytes} bytes`);
    if (Number(answer.headers['content-length']) > limits.bytes) throw tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => answer.destroy(new UpstreamError('stops half way')), limits.pauseMs);
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        timer.refresh();
        size += chunk.length;
        if (size > limits.bytes) throw tooLarge();
        chunks.push(chunk);
      }
    } finally {
      clearTimeout(timer);
    }
    if (!answer.complete) throw new UpstreamError('ends half way');
    return Buffer.concat(chunks);
  }

  async function answerOf(answer: IncomingMessage): Promise<Answer> {
    const { statusCode: code = 0, headers } = answer;
    if (code === 304) return { kind: 'unchanged', lifetime: lifetimeOf(headers, now()) };
    if (code === 404 || code === 410 || code === 204) return { kind: 'missing' };
    if (code !== 200) throw new UpstreamError(`answers ${code}`, retryAfterOf(headers, now()));
    const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase().replace('image/jpg', 'image/jpeg');
    if (!imageTypes.includes(type as ImageType)) throw new UpstreamError(`sends ${type || 'no type'}`);
    const coding = headers['content-encoding'] ?? 'identity';
    if (coding !== 'identity') throw new UpstreamError(`sends a picture packed as ${coding}`);
    const bytes = await read(answer);
    const kind = imageKind(bytes);
    if (!kind) throw new UpstreamError(`sends no ${type}, or not all of it`);
    if ((largestSide(bytes, kind) ?? Number.POSITIVE_INFINITY) > largest)
      throw new UpstreamError('sends no tile: too large');
    const { etag, 'last-modified': lastModified } = headers;
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
      let answer: IncomingMessage | undefined;
      try {
        answer = await follow(address, { headers, signal: AbortSignal.any([signal, timeout]) });
        const result = await answerOf(answer);
        // Reading a small unused body allows the connection to be reused.
        if (!answer.readableEnded && result.kind !== 'tile') answer.resume();
        return result;
      } catch (error) {
        answer?.destroy();
        if (signal.aborted) throw signal.reason;
        if (timeout.aborted) throw new UpstreamError('takes too long');
        throw error instanceof UpstreamError ? error : new UpstreamError(codeOf(error));
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

export type Upstream = ReturnType<typeof createUpstream>;

function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
