import { z } from '@hono/zod-openapi';
import { Context } from 'hono';
import { expect, it } from 'vitest';
import { limits } from '../limits/field-rules.ts';
import { readJsonBody } from './json-body.ts';
import { problemResponse, type FieldFault } from './problem.ts';

const schema = z.strictObject({ name: z.string() });

/** The problem response for a body. */
async function refused(body: object): Promise<{ text: string; detail: string; errors: FieldFault[] }> {
  const headers = { 'content-type': 'application/json' };
  const raw = new Request('http://localhost/', { method: 'POST', headers, body: JSON.stringify(body) });
  const error: unknown = await readJsonBody(new Context(raw), schema).catch((thrown: unknown) => thrown);
  const text = await problemResponse({ error, bindings: {}, report: () => undefined }).text();
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

it('reports the first hundred errors and their number', async () => {
  const { text, detail, errors } = await refused(
    Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`field-${at}`, 1])),
  );
  expect(errors).toHaveLength(100);
  expect(detail).toContain('The first 100 of 4001 errors');
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
  const error = await readJsonBody(new Context(raw), schema).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'body.too_large' });
  // One more than those that are read may wait in the stream.
  expect(sent).toBeLessThanOrEqual(7);
});
