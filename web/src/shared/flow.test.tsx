import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../text/text.ts';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';
import { Flow } from './flow.tsx';

beforeAll(() => loadTexts('en'));

const props = { swarm: { id: 's', name: 'River' }, role: 'consumer', resource_id: 'd' } as const;
const flow = <Flow {...props} />;

test('a consent that is opened again shows nothing of an earlier opening until it was read', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ producers: 2, consumers: 0, sent: 0 }));
  const { container, show, unmount } = await mountPart(flow);
  await waitFor(() => expect(container.textContent).toContain(t.messages.flow.receives(2, true)));
  await show(null);
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', () => promise);
  await show(flow);
  expect(container.textContent).toContain(t.messages.flow.loading);
  resolve(Response.json({ producers: 3, consumers: 0, sent: 0 }));
  await waitFor(() => expect(container.textContent).toContain(t.messages.flow.receives(3, true)));
  await unmount();
});
