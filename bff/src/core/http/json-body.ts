/** Receives JSON request bodies, and checks them with a schema. */
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { z } from 'zod';
import { limits } from '../limits/field-rules.ts';
import { threadTicks } from '../limits/loop-ticks.ts';
import { bodyLimitsOf } from '../limits/operation-limits.ts';
import type { BodyLimits } from '../limits/operation-rows.ts';
import { Problem, type FieldFault } from '../problem.ts';
import { checkOf, faultsAtMost, type SentBody } from '../sent-body.ts';
import { checkValues, escapePointer, namedAtMost, parseJson, pointerOf, quoted } from './json-text.ts';
import { bindingsOf } from './request-bindings.ts';

const utf8 = { fatal: true, ignoreBOM: true };
const decoder = new TextDecoder('utf-8', utf8);

/**
 * Receives the body, which `schema` describes. `count`: called before the body is read, with its bytes. One whose length is not known
 * counts as the largest one.
 */
export async function receiveJsonBody<T>(
  c: Context,
  schema: z.ZodType<T>,
  most: BodyLimits,
  count: (bytes: number) => void = () => {},
): Promise<SentBody<T>> {
  const text = await readText(c, most, count).catch(problemOf);
  // A body may take minutes to arrive.
  await bindingsOf(c).recheckAccess();
  return text instanceof Problem ? unusableBody(text) : parseBody(text, schema, most);
}

/** Reads the body of a route that is not an operation of the service. @throws the problems of `SentBody.check` */
export async function readJsonBody<T>(c: Context, schema: z.ZodType<T>): Promise<{ body: T }> {
  const most = bodyLimitsOf(`${c.req.method} ${routePath(c)}`);
  return { body: (await receiveJsonBody(c, schema, most)).check() };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

function unusableBody(problem: Problem): SentBody<never> {
  const check = () => {
    throw problem;
  };
  return { text: '', textOf: () => '', fields: {}, isValid: false, check };
}

async function readText(
  c: Context,
  { bytes, chunkedBytes = limits.bodyBytes }: BodyLimits,
  count: (bytes: number) => void,
): Promise<string> {
  const request = c.req.raw;
  const mediaType = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(mediaType)) throw new Problem('body.not_json');
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  // RFC 9110, 15.5.16.
  if (encoding !== 'identity') throw new Problem('body.encoded', { headers: { 'accept-encoding': 'identity' } });
  const length = request.headers.get('content-length');
  const most = length === null ? Math.min(bytes, chunkedBytes) : bytes;
  const announced = length === null ? most : Number(length);
  if (announced > most) throw tooLarge(most);
  count(announced);
  const incoming = bindingsOf(c).outgoing?.req;
  return whileArriving(c, announced, () =>
    readWithin(request, { incoming, announced: length !== null && announced, most }),
  );
}

function tooLarge(mostBytes: number) {
  return new Problem('body.too_large', { detail: `The request body is larger than ${mostBytes / 1024} KiB` });
}

/** Counts a body that comes by HTTP until it has arrived. @throws `rate.exceeded` */
async function whileArriving<T>(c: Context, bytes: number, read: () => Promise<T>): Promise<T> {
  const { outgoing, clientAddress } = bindingsOf(c);
  if (!outgoing) return read();
  const sender = outgoing.user === undefined ? `address ${clientAddress()}` : `user ${outgoing.user}`;
  const release = outgoing.arriving?.take(sender, bytes);
  try {
    outgoing.askForBody();
    return await read();
  } finally {
    release?.();
  }
}

/** `announced`: its length in bytes, if that is known. `incoming`: the same request of Node, if it came by HTTP. */
async function readWithin(
  request: Request,
  { incoming, announced, most }: { incoming: IncomingMessage | undefined; announced: number | false; most: number },
) {
  try {
    const isSmall = announced !== false && announced <= limits.bodyBytes;
    if (!isSmall) return await readInChunks(request, most);
    const isUntouched = announced > 0 && incoming && !incoming.destroyed && !incoming.readableDidRead;
    return decoder.decode(await (isUntouched ? bytesOf(incoming, announced) : request.arrayBuffer()));
  } catch (error) {
    if (error instanceof Problem) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      throw unreadable('it is not valid UTF-8');
    // The client has disconnected, which is not a server error.
    throw unreadable('it is incomplete');
  }
}

/** The bytes of a small body. `Request` would add eight listeners and copy them. Rejects if the client disconnects before. */
function bytesOf(incoming: IncomingMessage, length: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let left = length;
    incoming.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      chunks.push(chunk);
      if (left <= 0) resolve(chunks.length === 1 ? chunk : Buffer.concat(chunks));
    });
    incoming.once('error', reject);
    // Each request closes. An error for each would cost more than is saved.
    incoming.once('close', () => left > 0 && reject(new Error('the client has disconnected')));
  });
}

/** Each chunk is decoded when it arrives: the bytes of a large body are never in memory together, and its decoding takes no long tick. */
async function readInChunks(request: Request, most: number): Promise<string> {
  const streamDecoder = new TextDecoder('utf-8', utf8);
  let text = '';
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > most) throw tooLarge(most);
    text += streamDecoder.decode(chunk, { stream: true });
  }
  return text + streamDecoder.decode();
}

/** Other requests are answered between the steps for a large body. `JSON.parse` takes longest, up to 50 ms. */
async function parseBody<T>(text: string, schema: z.ZodType<T>, most: BodyLimits): Promise<SentBody<T>> {
  const isLarge = text.length > limits.bodyBytes;
  if (isLarge) await nextLoopTick();
  // Other requests are answered between the steps. There is only one for a small body.
  const parsing = parseJson(text);
  let step = parsing.next();
  for (; !step.done; step = parsing.next()) {
    await threadTicks.begun();
  }
  const json = step.value;
  if ('fault' in json) return unusableBody(unreadable(json.fault));
  const { value, textOf } = json;
  if (isLarge) await nextLoopTick();
  const fields = isObject(value) ? value : {};
  const faults: FieldFault[] = [];
  const isBounded = most.ignoresRest || checkValues(value, [], { mostItems: most.items, faults });
  // The schema would check all items first, and then their number.
  if (!isBounded) return { text, textOf, fields, isValid: false, check: checkOf(faults, undefined as never) };
  if (isLarge) await nextLoopTick();
  const parsed = schema.safeParse(value);
  if (isLarge) await nextLoopTick();
  if (!parsed.success) for (const issue of parsed.error.issues) addFaults(issue, value, faults);
  return { text, textOf, fields, isValid: faults.length === 0, check: checkOf(faults, parsed.data as T) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unreadable(why: string) {
  return new Problem('body.unreadable', { detail: `The request body is not valid JSON: ${why}` });
}

function addFaults(issue: z.core.$ZodIssue, value: unknown, faults: FieldFault[]) {
  const left = faultsAtMost + 1 - faults.length;
  if (left <= 0) return;
  const pointer = pointerOf(issue.path);
  const absent = ['invalid_type', 'invalid_value'].includes(issue.code) && at(value, issue.path) === undefined;
  if (issue.code === 'unrecognized_keys') {
    faults.push(...issue.keys.slice(0, left).map((key) => unknownField({ pointer, key })));
  } else if (absent) faults.push({ pointer, code: 'field.required', detail: 'is required' });
  else faults.push({ pointer, code: fieldCodes[issue.code] ?? 'field.invalid', detail: issue.message });
}

/** A very long name is shortened; then the pointer refers to its parent. */
function unknownField({ pointer, key }: { pointer: string; key: string }): FieldFault {
  const code = 'field.unknown';
  const detail = `unknown field ${quoted(key)}`;
  return { pointer: key.length > namedAtMost ? pointer : `${pointer}/${escapePointer(key)}`, code, detail };
}

const fieldCodes: Record<string, string> = {
  invalid_type: 'field.wrong_type',
  invalid_value: 'field.not_allowed',
  too_big: 'field.out_of_range',
  too_small: 'field.out_of_range',
};

function at(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
