import { afterEach, expect, test, vi } from 'vitest';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { CreateSwarm } from './create-swarm.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

afterEach(() => sessionStorage.clear());

test('the draft of a swarm is deleted, although its dialog was closed before', async () => {
  const response = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => response.promise);
  const key = 'draft:swarm:undefined';
  sessionStorage.setItem(key, JSON.stringify({ name: 'Harbour' }));
  const onCreated = vi.fn<() => void>();
  const { show, submit, unmount } = await mountPart(<CreateSwarm onClose={() => undefined} onCreated={onCreated} />);
  await submit();
  await show(null);
  expect(sessionStorage.getItem(key)).toContain('Harbour');
  response.resolve(new Response('{"id":"s1","name":"Harbour"}'));
  await waitFor(() => expect(sessionStorage.getItem(key)).toBeNull());
  expect(onCreated).not.toHaveBeenCalled();
  await unmount();
});
