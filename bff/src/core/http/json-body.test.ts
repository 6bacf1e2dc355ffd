import { z } from '@hono/zod-openapi';
import fc from 'fast-check';
import { Context } from 'hono';
import { expect, it, vi } from 'vitest';
import { limits } from '../limits/field-rules.ts';
import { threadTicks } from '../limits/loop-ticks.ts';
import { testBindings } from '../../tests/bindings.fixture.ts';
import { receiveJsonBody } from './json-body.ts';
import { problemResponse } from './problem-response.ts';
import type { FieldFault, Problem } from '../problem.ts';

const schema = z.strictObject({ name: z.string() });
const most = { bytes: limits.bodyBytes, items: 500 };

/** @throws the problems of the body */
async function read(raw: Request) {
  return (await receiveJsonBody(new Context(raw, { env: testBindings() }), schema, most)).check();
}

/** The problem response for a body. */
async function refused(body: object): Promise<{ text: string; detail: string; errors: FieldFault[] }> {
  const headers = { 'content-type': 'application/json' };
  const raw = new Request('http://localhost/', { method: 'POST', headers, body: JSON.stringify(body) });
  const error: unknown = await read(raw).catch((thrown: unknown) => thrown);
  const text = await problemResponse({ error, bindings: testBindings(), report: () => undefined }).text();
  return { text, ...(JSON.parse(text) as { detail: string; errors: FieldFault[] }) };
}

it('reports all invalid fields at once', async () => {
  const { errors } = await refused({ name: 1, one: 1, 'two/~': 2 });
  expect(errors.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/name', 'field.wrong_type'],
    ['/one', 'field.unknown'],
    ['/two~1~0', 'field.unknown'],
  ]);
});

it('reports the first hundred errors', async () => {
  const { text, detail, errors } = await refused(
    Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`field-${at}`, 1])),
  );
  expect(errors).toHaveLength(100);
  expect(detail).toContain('Only the first 100 errors');
  expect(text.length).toBeLessThan(20_000);
});

it('shortens a very long field name', async () => {
  const { text, errors } = await refused({ name: 'Lamp', inner: 1, [`${'x'.repeat(63)}🦀${'y'.repeat(60_000)}`]: 1 });
  expect(errors.map(({ pointer }) => pointer)).toEqual(['/inner', '']);
  expect(errors[1]?.detail).toMatch(/begins with "x{63}.?"$/u);
  expect(text.length).toBeLessThan(1000);
});

it('reads a body without a length only up to the limit', async () => {
  let sent = 0;
  const body = new ReadableStream({
    pull(stream) {
      sent += 1;
      if (sent > 100) stream.close();
      else stream.enqueue(Buffer.alloc(limits.bodyBytes / 4, ' '));
    },
  });
  const headers = { 'content-type': 'application/json' };
  const raw = new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' });
  const error = await read(raw).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'body.too_large' });
  // One more than those that are read may wait in the stream.
  expect(sent).toBeLessThanOrEqual(7);
});

const list = z.strictObject({ items: z.array(z.strictObject({ id: z.string() })).min(1) });

/** The problem of a body. */
async function errorsOf(text: string, bytes: number) {
  const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
  const raw = new Request('http://localhost/', { method: 'POST', headers, body: text });
  const sent = await receiveJsonBody(new Context(raw, { env: testBindings() }), list, { bytes, items: 500 });
  const { errors = [], message } = (await (async () => sent.check())().catch((thrown: unknown) => thrown)) as Problem;
  return { errors, message };
}

it.each(['1', '""', '{}', '[]', '{"id":1}'])('does not parse a body with very many values: %s', async (value) => {
  const parse = vi.spyOn(JSON, 'parse');
  const text = `{"items":[${Array.from({ length: 100_000 }, () => value).join()}]}`;
  const { errors, message } = await errorsOf(text, text.length);
  expect(message).toContain('it has more than 20000 values');
  expect(errors).toEqual([]);
  expect(parse).not.toHaveBeenCalled();
});

/** What a hostile body begins with, and what is repeated up to its length. */
const faults = ['{"a":1,"a":2,"b":[', '{"__proto__":1,"b":[', '[[[[[[[[[', '{"\\u0061":1,"a":1,"b":[', ''];
const fillers = [
  '1,',
  '"x",',
  '{},',
  '[],',
  '{"a":1},',
  '{"a":{"a":1,"a":1}},',
  '[',
  '{',
  '{"a":',
  '"n":',
  '"n#":',
  '"',
  ' ',
  '\\',
];

/** Counts the calls of a method with one argument. A spy would keep millions of them. */
function countCalls(of: object, name: string): { calls: number } & Disposable {
  const methods = of as Record<string, (argument: unknown) => unknown>;
  const method = methods[name]!;
  const counted = { calls: 0, [Symbol.dispose]: () => void (methods[name] = method) };
  methods[name] = function (this: unknown, argument) {
    counted.calls += 1;
    return method.call(this, argument);
  };
  return counted;
}

it('refuses a hostile body after it was read once, and makes nothing of its values', async () => {
  const hostile = fc.record({
    fault: fc.constantFrom(...faults),
    filler: fc.constantFrom(...fillers),
    end: fc.constantFrom('', '0]}', '"'),
    length: fc.constantFrom(100_000, 1024 * 1024, 5 * 1024 * 1024 - 100),
  });
  await fc.assert(
    fc.asyncProperty(hostile, async ({ fault, filler, end, length }) => {
      let number = 0;
      const repeated = filler.includes('#')
        ? Array.from({ length: length / 12 }, () => filler.replace('#', String(number++))).join('')
        : filler.repeat(length / filler.length);
      const text = `${fault}${fault === '' && filler.startsWith('"n') ? '{' : ''}${repeated}${end}`;
      const parse = vi.spyOn(JSON, 'parse');
      using add = countCalls(Set.prototype, 'add');
      using charCodeAt = countCalls(String.prototype, 'charCodeAt');
      const { errors, message } = await errorsOf(text, 5 * 1024 * 1024);
      const parsed = parse.mock.calls.filter(([sent]) => sent === text).length;
      const [names, read] = [add.calls, charCodeAt.calls];
      vi.restoreAllMocks();
      // JSON.parse reads only what has few values, and no other fault that was found.
      expect(parsed).toBe(/: it is (not valid JSON|empty)$/.test(message) ? 1 : 0);
      expect(errors).toEqual([]);
      expect(message.length).toBeLessThan(300);
      expect(names).toBeLessThan(20_100);
      expect(read).toBeLessThan(3 * text.length);
    }),
    { numRuns: 60 },
  );
});

it('names a very long field that occurs twice by its beginning', async () => {
  const name = `${'x'.repeat(63)}🦀${'y'.repeat(1_000_000)}`;
  const { message } = await errorsOf(`{"${name}":1,"${name}":2}`, 5 * 1024 * 1024);
  expect(message).toMatch(/the field that begins with "x{63}.?" occurs twice$/u);
});

it('checks the number of items before the items', async () => {
  const { errors } = await errorsOf(`{"items":[${Array.from({ length: 501 }, () => '1').join()}]}`, 64 * 1024);
  expect(errors).toEqual([{ pointer: '/items', code: 'field.out_of_range', detail: 'must have at most 500 items' }]);
});

it('collects the first hundred errors of texts and items', async () => {
  for (const item of ['1', '"\\ud800"', '{"a":1}']) {
    const { errors, message } = await errorsOf(
      `{"items":[${Array.from({ length: 500 }, () => item).join()}]}`,
      64 * 1024,
    );
    expect(errors).toHaveLength(100);
    expect(message).toContain('Only the first 100 errors');
  }
});

it('checks text that is not JSON in the same way', async () => {
  for (const text of ['{"items":[', '"', '{"a', '{"\\u12":1,"b":2}', '"\\'])
    expect((await errorsOf(text, 1000)).message).toContain('it is not valid JSON');
});

it('answers other requests between the steps for a large body', async () => {
  const body = JSON.stringify({ name: 'x'.repeat(limits.bodyBytes) });
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  const raw = new Request('http://localhost/', { method: 'POST', headers, body });
  let turns = 0;
  let running = setImmediate(function count() {
    turns += 1;
    running = setImmediate(count);
  });
  let before = Infinity;
  const isWellFormed = vi.spyOn(String.prototype, 'isWellFormed').mockImplementation(() => {
    before = Math.min(before, turns);
    return true;
  });
  const read = await receiveJsonBody(new Context(raw, { env: testBindings() }), schema, {
    bytes: 2 * limits.bodyBytes,
    items: 1,
  });
  clearImmediate(running);
  expect(isWellFormed).toHaveBeenCalled();
  expect([read.isValid, before > 0, turns > before]).toEqual([true, true, true]);
});

it.each([
  ['one long text', `{"name":"${'x'.repeat(5_000_000)}`],
  ['escapes', `{"name":"${'\\\\'.repeat(1_200_000)}`],
  ['spaces', ' '.repeat(5_000_000)],
])('gives others a turn after each part of a large body: %s', async (_, text) => {
  vi.spyOn(threadTicks, 'isOver').mockReturnValue(true);
  const next = vi.spyOn(threadTicks, 'next');
  const { message } = await errorsOf(text, 5 * 1024 * 1024);
  const turns = next.mock.calls.length;
  vi.restoreAllMocks();
  expect(message).toMatch(/it is (not valid JSON|empty)$/);
  expect(turns).toBeGreaterThan(text.length / (256 * 1024));
});

it('decodes a large body that arrives in parts of any length', async () => {
  const body = Buffer.from(JSON.stringify({ name: '🦀é'.repeat(limits.bodyBytes) }));
  const partsOf = (bytes: Buffer, length: number) => {
    let at = 0;
    const stream = new ReadableStream({
      pull(controller) {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.subarray(at, (at += length)));
      },
    });
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    const raw = new Request('http://localhost/', { method: 'POST', headers, body: stream, duplex: 'half' });
    return receiveJsonBody(new Context(raw, { env: testBindings() }), schema, { bytes: body.length, items: 1 });
  };
  expect((await partsOf(body, 1021)).text).toBe(body.toString());
  const cut = Buffer.concat([body.subarray(0, -4), Buffer.from([0xf0, 0x9f])]);
  const damaged = Buffer.concat([Buffer.from([0xff]), body.subarray(1)]);
  for (const bytes of [cut, damaged]) expect((await partsOf(bytes, 65_536)).check).toThrow(/it is not valid UTF-8$/);
});
