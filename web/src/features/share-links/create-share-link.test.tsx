import { expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { CreateShareLink } from './create-share-link.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

test('the dialog of a new link stays open until it shows the link, which is shown only once', async () => {
  const response = Promise.withResolvers<Response>();
  const headers = { 'x-swarmdeck': '1' };
  vi.stubGlobal('fetch', (path: string) =>
    path.includes('/flow') ? Promise.resolve(Response.json({ shown: 2 }, { headers })) : response.promise,
  );
  const [onClose, onCreated] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const { container, type, submit, press, unmount } = await mountPart(
    <CreateShareLink of={{ swarm_id: 's1' }} device={undefined} onClose={onClose} onCreated={onCreated} />,
  );
  await waitFor(() => expect(container.textContent).toContain(t.share_links.swarm.shows_now(2)));
  await type('For Eve');
  await submit();
  await press(t.shell.kit.cancel);
  expect(onClose).not.toHaveBeenCalled();
  response.resolve(new Response(JSON.stringify({ id: 'l1' }), { headers }));
  await waitFor(() => expect(onCreated).toHaveBeenCalled());
  // The dialog knows it a moment later.
  await waitFor(async () => {
    await press(t.shell.kit.cancel);
    expect(onClose).toHaveBeenCalled();
  });
  await unmount();
});
