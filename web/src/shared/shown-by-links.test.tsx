import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../text/text.ts';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { waitFor } from '../ui/wait-for.fixture.ts';
import { AllowLinks } from './shown-by-links.tsx';

beforeAll(() => loadTexts('en'));

const member = { swarm: { id: 's', name: 'Harbour' }, device: { id: 'd', name: 'Buoy' } };

test.each([
  [2, () => t.share_links.consent.open_now(2)],
  [0, () => t.share_links.consent.none_open],
])('before the user agrees, the dialog says that %i links would show the device at once', async (guest_links, text) => {
  vi.stubGlobal('fetch', async () => Response.json({ items: [{ guest_links }], next: null }));
  const part = await mountPart(<AllowLinks {...member} isShown={false} onClose={() => undefined} />);
  await waitFor(() => expect(part.container.textContent).toContain(text()));
  await part.unmount();
});

test('without the number, the dialog says so', async () => {
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 403 }));
  const part = await mountPart(<AllowLinks {...member} isShown={false} onClose={() => undefined} />);
  await waitFor(() => expect(part.container.textContent).toContain(t.share_links.consent.counting));
  await part.unmount();
});
