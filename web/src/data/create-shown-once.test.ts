import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { createShownOnce } from './create-shown-once.ts';
import { forgetPage } from './new-page.ts';

/** Requests without an answer. */
let sent: { path: string; attempt: string; answer: PromiseWithResolvers<Response> }[];
let client: QueryClient;
const create = (path = '/api/keys') => createShownOnce<object>({ client, path, body: { name: 'a' } });

beforeEach(() => {
  sent = [];
  client = new QueryClient();
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit) => {
    const { attempt } = JSON.parse(body as string) as { attempt: string };
    const answer = Promise.withResolvers<Response>();
    sent.push({ path, attempt, answer });
    return answer.promise;
  });
});

test('a request that is sent while another one has no answer yet has an attempt of its own', async () => {
  const lost = create();
  const seen = create();
  sent[0]!.answer.reject(new TypeError('the connection was closed'));
  await expect(lost).rejects.toMatchObject({ code: 'service.not_shown' });
  sent[1]!.answer.resolve(Response.json({ id: 'k' }));
  await seen;
  const others = [create('/api/others'), create(), create()];
  const [first, second, other, again, next] = sent.map(({ attempt }) => attempt);
  expect(again).toBe(first);
  expect(new Set([first, second, other, next]).size).toBe(4);
  for (const { answer } of sent.slice(2)) answer.resolve(Response.json({}));
  await Promise.all(others);
});

test('a request after the page was loaded again replaces what one without an answer has created, but not what was shown', async () => {
  const shown = create();
  sent[0]!.answer.resolve(Response.json({ id: 'k' }));
  await shown;
  void create();
  forgetPage();
  client = new QueryClient();
  void create();
  const [first, lost, again] = sent.map(({ attempt }) => attempt);
  expect(again).toBe(lost);
  expect(again).not.toBe(first);
});
