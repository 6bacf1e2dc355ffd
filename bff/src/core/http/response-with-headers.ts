/** The response of the server: with the headers of all responses, the bytes that it counts, and what is noted about it. */
import type { IncomingMessage, OutgoingHttpHeader, OutgoingHttpHeaders } from 'node:http';
import { routePath } from 'hono/route';
import type { Slots } from '../limits/slots.ts';
import type { Pacing } from './pacing.ts';
import type { ProblemInit } from './problem-response.ts';
import { pacedFor, sendLater } from './pipelining.ts';
import type { AnsweredRequest, NotedResponse, RequestBindings } from './request-bindings.ts';
import { traceIdOf } from './traceparent.ts';
import { isLongUnread, leaveUnread } from './unread-bodies.ts';
import { CountedResponse } from './unsent-bytes.ts';

/** A response with the headers that all responses have. Faster than `setHeaders`, which copies and checks each twice. */
export class ResponseWithHeaders<Request extends IncomingMessage = IncomingMessage>
  extends CountedResponse<Request>
  implements NotedResponse
{
  common: Readonly<Record<string, string>> = {};
  operation: string | undefined;
  context: NotedResponse['context'];
  keyId: string | undefined;
  lastEventId: string | undefined;
  code: string | undefined;
  bindings: RequestBindings | undefined;
  crossOrigin: Readonly<Record<string, string>> | undefined;
  arriving?: Slots;
  pacing?: Pacing | undefined;
  startedAt = 0;
  /** Its client waits until it is told to send the body (RFC 9110, 10.1.1). */
  expectsContinue = false;
  onAnswered: ((request: AnsweredRequest) => void) | undefined;
  makeRefusal: ((refused: ResponseWithHeaders) => ProblemInit) | undefined;
  /** The body that is sent instead of another one. */
  #refusal: string | undefined;
  /** In ms: how long its end waits. */
  #pacedMs = 0;

  override writeHead(
    status: number,
    reason?: string | OutgoingHttpHeaders | OutgoingHttpHeader[],
    headers?: OutgoingHttpHeaders | OutgoingHttpHeader[],
  ): this {
    const own = (typeof reason === 'string' ? headers : reason) as OutgoingHttpHeaders | undefined;
    if (!this.isEventStream) this.clientAddress = this.bindings?.clientAddress;
    const length = lengthOf(this, own);
    // A write that was executed must not fail. It is refused before.
    const isRefused = status === 200 && this.req.method === 'GET' && length !== undefined && !this.hasRoom(length);
    return isRefused ? this.#refuse() : this.#writeHead(status, own, length);
  }

  #refuse(): this {
    const { status, headers, body } = this.makeRefusal!(this);
    this.#refusal = body;
    const length = Buffer.byteLength(body);
    return this.#writeHead(status, { ...headers, 'content-length': length }, length);
  }

  #writeHead(status: number, own: OutgoingHttpHeaders | undefined, length: number | undefined): this {
    if (this.onAnswered) this.#answered(status, length);
    // An event stream would keep them in memory for hours.
    this.context = undefined;
    this.bindings = undefined;
    let isLeft = isLongUnread(this.req) || (this.expectsContinue && !this.req.complete);
    // One that closes its connection is not asked for again on it.
    if (!isLeft && this.shouldKeepAlive && this.pacing?.isPaced(this, status)) {
      const ms = pacedFor(this);
      isLeft = ms === undefined;
      this.#pacedMs = ms ?? 0;
    }
    if (isLeft) leaveUnread(this);
    return super.writeHead(status, {
      ...this.common,
      ...(this.lastEventId && { 'last-event-id': this.lastEventId }),
      ...own,
      ...(this.crossOrigin && withVary(this.crossOrigin, own)),
      ...(isLeft && { connection: 'close' }),
    });
  }

  askForBody(): void {
    if (this.expectsContinue) this.writeContinue();
    this.expectsContinue = false;
  }

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    return this.#refusal !== undefined || super.write(chunk, encoding, done);
  }

  override end(chunk?: unknown, encoding?: unknown, done?: unknown): this {
    const body = this.#refusal ?? chunk;
    const send = () => super.end(body, encoding, done);
    if (this.#pacedMs === 0) return send();
    this.pacing!.count();
    this.hold((body as string | Uint8Array | undefined)?.length ?? 0);
    sendLater(this, this.#pacedMs, send);
    return this;
  }

  #answered(status: number, length: number | undefined) {
    const { req, bindings, code, user, keyId } = this;
    this.onAnswered!({
      method: req.method ?? '',
      operation: operationOf(this),
      status,
      ms: performance.now() - this.startedAt,
      bytes: length,
      code,
      user,
      keyId,
      traceId: traceIdOf(req.headers['traceparent'] as string | undefined),
      requestId: () => bindings?.requestId() ?? '',
      address: () => bindings?.clientAddress() ?? 'unknown',
    });
  }
}

/** These headers, of which `vary` also has what the response itself varies by. */
function withVary(headers: Readonly<Record<string, string>>, own: OutgoingHttpHeaders | undefined) {
  const vary = own?.['vary'];
  return vary === undefined ? headers : { ...headers, vary: `${vary}, ${headers['vary']}` };
}

/** The length of the body, if it is known: from the headers, or from what the listener has noted. */
function lengthOf(response: object, own: OutgoingHttpHeaders | undefined): number | undefined {
  const length =
    own?.['content-length'] ?? own?.['Content-Length'] ?? (response as { _contentLength?: unknown })._contentLength;
  return typeof length === 'number' ? length : undefined;
}

/** One label for all paths without a route, and for requests that were refused before they were routed. */
const otherPath = 'other';

/** Never contains a part of the path that the client has chosen. */
function operationOf({ operation, context }: NotedResponse): string {
  if (operation !== undefined) return operation;
  const path = context ? routePath(context) : '';
  return path === '' || path.endsWith('*') ? otherPath : path;
}
