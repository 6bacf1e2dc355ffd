import { beforeAll, expect, test, vi } from 'vitest';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { Grown, grownSentences } from './grown.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test.each([
  [2, () => [t.audience.grown.see, t.audience.grown.leave]],
  [0, () => []],
])('with %i own devices in the swarm, it can be left or not', async (total, buttons) => {
  vi.stubGlobal('fetch', async () => Response.json({ items: [], total }));
  const page = await mountPart(<Grown swarm={{ id: 's', name: 'Harbour' }} name="Harbour" detail="receivers" />);
  const shown = () => [...page.container.querySelectorAll('a, button')].map(({ textContent }) => textContent);
  await waitFor(() => expect(shown()).toEqual(buttons()));
  await page.unmount();
});

test('names are listed by their role; receivers and the reach are sentences that count no viewer', () => {
  expect(grownSentences('owner:max,watcher:wim,watcher:wok,receivers,listed')).toEqual([
    'Change in who sees your devices in {swarm}: new owner max, new watchers wim and wok.',
    'The new owner can create links that show devices: of yours, only those for which you allowed it.',
    'Devices of other users now receive messages in {swarm}. Their owners also see your devices and where these are.',
    'Anyone can now find {swarm} and ask to join. People who only ask see no devices.',
  ]);
  expect(grownSentences('open')).toEqual([
    'Anyone who has the web address of {swarm} can now ask to join. People who only ask see no devices.',
  ]);
  expect(grownSentences('receivers')).toEqual([
    'Devices of other users now receive messages in {swarm}. Their owners also see your devices and where these are.',
  ]);
  expect(grownSentences('links')).toEqual([
    '{swarm} has a new link to join. Anyone with it can now join without asking, and then sees your devices.',
  ]);
  expect(grownSentences('manager:max')).toEqual(['Change in who sees your devices in {swarm}: new manager max.']);
});
