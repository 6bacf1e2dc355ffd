import { expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { CreateShareLink } from './create-share-link.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

/** Asks for a link of a swarm; `answer` is the response. */
async function ask(answer: Promise<Response>) {
  vi.stubGlobal('fetch', (path: string) =>
    path.includes('/flow') ? Promise.resolve(Response.json({ shown: 2 })) : answer,
  );
  const [onClose, onCreated] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const page = await mountPart(
    <CreateShareLink
      of={{ swarm_id: 's1' }}
      device={undefined}
      onClose={onClose}
      onCreated={onCreated}
      NewLink={() => null}
    />,
  );
  await waitFor(() => expect(page.container.textContent).toContain(t.share_links.swarm.shows_now(2)));
  await page.type('For Eve');
  await page.submit();
  return { ...page, onClose, onCreated };
}

test('a new link is passed on, to be shown once', async () => {
  const { onCreated, unmount } = await ask(Promise.resolve(Response.json({ id: 'l1' })));
  await waitFor(() => expect(onCreated).toHaveBeenCalled());
  await unmount();
});

test('who cancels while a link is created is told that it may still be created', async () => {
  const { container, press, onClose, unmount } = await ask(new Promise(() => {}));
  await waitFor(() => expect(container.querySelector('dialog [aria-busy]')).not.toBeNull());
  await press(t.shell.kit.close);
  expect(onClose).toHaveBeenCalledOnce();
  expect(container.textContent).toContain(t.share_links.is_sent);
  await unmount();
});
