/**
 * Parses JSON request bodies strictly. It rejects what two parsers could read differently, so that no data is lost
 * silently.
 */
import type { Context } from 'hono';
import type { z } from 'zod';
import { limits, unprintable } from '../limits/field-rules.ts';
import { Problem, type FieldFault } from './problem.ts';
import { bindingsOf } from './request-bindings.ts';

const faultsAtMost = 100;
/** The number of characters of an unknown field's name in an error. */
const namedAtMost = 64;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A body that has arrived. Errors of the record that it is about have priority over its own. */
export interface SentBody<T> {
  text: string;
  /** Of a JSON object, as they were sent. */
  fields: Readonly<Record<string, unknown>>;
  isValid: boolean;
  /**
   * Returns the body. `more`: what else is wrong with it; faults of the schema for the same field have priority.
   * @throws `body.not_json` (415), `body.too_large` (413), `body.unreadable` and `body.invalid` (400), the last with all
   * faults
   */
  check(more?: readonly FieldFault[]): T;
}

/** A body that is known to be valid. */
export function validBody<T extends object>(body: T): SentBody<T> {
  return {
    text: JSON.stringify(body),
    fields: body as Record<string, unknown>,
    isValid: true,
    check: checkOf([], body),
  };
}

/** Receives the body, which `schema` describes. It reads at most `mostBytes`. */
export async function receiveJsonBody<T>(
  c: Context,
  schema: z.ZodType<T>,
  { mostBytes = limits.bodyBytes }: { mostBytes?: number } = {},
): Promise<SentBody<T>> {
  const text = await readText(c.req.raw, mostBytes).catch(problemOf);
  // A body may take minutes to arrive.
  await bindingsOf(c).recheckAccess?.();
  return text instanceof Problem ? unusableBody(text) : parseBody(text, schema);
}

/** @throws the problems of `SentBody.check` */
export async function readJsonBody<T>(...args: Parameters<typeof receiveJsonBody<T>>): Promise<{ body: T }> {
  return { body: (await receiveJsonBody(...args)).check() };
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

function unusableBody(problem: Problem): SentBody<never> {
  const check = () => {
    throw problem;
  };
  return { text: '', fields: {}, isValid: false, check };
}

async function readText(request: Request, mostBytes: number): Promise<string> {
  const mediaType = request.headers.get('content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(mediaType)) throw new Problem('body.not_json');
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  // RFC 9110, 15.5.16.
  if (encoding !== 'identity') throw new Problem('body.encoded', { headers: { 'accept-encoding': 'identity' } });
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const bytes = await readBytes(request, mostBytes);
  if (bytes.byteLength > mostBytes) throw tooLarge(mostBytes);
  try {
    return utf8.decode(bytes);
  } catch {
    throw unreadable('it is not valid UTF-8');
  }
}

function tooLarge(mostBytes: number) {
  return new Problem('body.too_large', { detail: `The request body is larger than ${mostBytes / 1024} KiB` });
}

async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  try {
    if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer());
    return await readBounded(request, mostBytes);
  } catch (error) {
    // The client has disconnected, which is not a server error.
    throw error instanceof Problem ? error : unreadable('it is incomplete');
  }
}

/** A chunked body has no length, so it is read up to the limit. */
async function readBounded(request: Request, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > mostBytes) throw tooLarge(mostBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseBody<T>(text: string, schema: z.ZodType<T>): SentBody<T> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return unusableBody(problemOf(error));
  }
  const faults: FieldFault[] = [];
  checkTexts(value, [], faults);
  const parsed = schema.safeParse(value);
  if (!parsed.success) faults.push(...parsed.error.issues.flatMap((issue) => faultsOf(issue, value)));
  const fields = isObject(value) ? value : {};
  return { text, fields, isValid: faults.length === 0, check: checkOf(faults, parsed.data as T) };
}

const checkOf =
  <T>(faults: readonly FieldFault[], body: T): SentBody<T>['check'] =>
  (more = []) => {
    if (faults.length + more.length === 0) return body;
    const known = new Set(faults.map(({ pointer }) => pointer));
    throw invalid([...faults, ...more.filter(({ pointer }) => !known.has(pointer))]);
  };

function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable(text.trim() === '' ? 'it is empty' : 'it is not valid JSON');
  }
  checkKeys(text);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Lists all errors, up to a maximum. */
function invalid(faults: FieldFault[]): Problem {
  if (faults.length <= faultsAtMost) return new Problem('body.invalid', { errors: faults });
  const detail = `Invalid request body. The first ${faultsAtMost} of ${faults.length} errors are listed`;
  return new Problem('body.invalid', { detail, errors: faults.slice(0, faultsAtMost) });
}

function unreadable(why: string) {
  return new Problem('body.unreadable', { detail: `The request body is not valid JSON: ${why}` });
}

const backslash = 92;
const quote = 34;
const colon = /\s*:/y;

/** Rejects duplicate keys, `__proto__` and deep nesting, which JSON.parse accepts. `text` must be valid JSON. */
function checkKeys(text: string) {
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined);
      if (open.length > limits.bodyDepth) throw unreadable(`it is nested deeper than ${limits.bodyDepth} levels`);
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === '"') {
      const end = endOfString(text, at);
      const keys = open.at(-1);
      colon.lastIndex = end + 1;
      if (keys && colon.test(text)) {
        const name = text.slice(at + 1, end);
        const key = name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
        if (key === '__proto__') throw unreadable('"__proto__" is not allowed as a field');
        if (keys.has(key)) throw unreadable(`the field ${JSON.stringify(key)} occurs twice`);
        keys.add(key);
      }
      at = end;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

function checkTexts(value: unknown, path: string[], faults: FieldFault[]) {
  if (typeof value === 'string') {
    const add = (code: string, detail: string) => faults.push({ pointer: pointerOf(path), code, detail });
    if (!value.isWellFormed()) add('text.malformed', 'contains a lone surrogate');
    if (unprintable.test(value)) add('text.control', 'contains a control character');
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      path.push(key);
      checkTexts(entry, path, faults);
      path.pop();
    }
  }
}

const pointerOf = (path: readonly PropertyKey[]) => path.map((key) => `/${escapePointer(key)}`).join('');

/** RFC 6901. */
function escapePointer(key: PropertyKey): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}

function faultsOf(issue: z.core.$ZodIssue, value: unknown): FieldFault[] {
  const pointer = pointerOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownField({ pointer, key }));
  }
  const absent = ['invalid_type', 'invalid_value'].includes(issue.code) && at(value, issue.path) === undefined;
  if (absent) return [{ pointer, code: 'field.required', detail: 'is required' }];
  return [{ pointer, code: fieldCodes[issue.code] ?? 'field.invalid', detail: issue.message }];
}

/** A very long name is shortened; then the pointer refers to its parent. */
function unknownField({ pointer, key }: { pointer: string; key: string }): FieldFault {
  const code = 'field.unknown';
  if (key.length > namedAtMost) {
    const start = key.slice(0, namedAtMost).toWellFormed();
    return { pointer, code, detail: `unknown field that begins with ${JSON.stringify(start)}` };
  }
  return { pointer: `${pointer}/${escapePointer(key)}`, code, detail: `unknown field ${JSON.stringify(key)}` };
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
