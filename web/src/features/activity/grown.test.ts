import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../text/text.ts';
import { grownSentences } from './grown.tsx';

beforeAll(() => loadTexts('en'));

test('names are listed by their role; receivers and the reach are sentences that count no viewer', () => {
  expect(grownSentences('owner:max,watcher:wim,watcher:wok,receivers,listed')).toEqual([
    'More users see your devices in {swarm}: new owner max, new watchers wim and wok.',
    'Devices of other users now receive messages in {swarm}.',
    'Anyone can now find {swarm} and ask to join. Asking to join does not show your devices.',
  ]);
  expect(grownSentences('open')).toEqual([
    'Anyone who has the address of {swarm} can now ask to join. Asking to join does not show your devices.',
  ]);
  expect(grownSentences('receivers')).toEqual(['Devices of other users now receive messages in {swarm}.']);
  expect(grownSentences('links')).toEqual([
    '{swarm} has a new link to join. Anyone with it can now join without asking, and then sees your devices.',
  ]);
  expect(grownSentences('manager:max')).toEqual(['More users see your devices in {swarm}: new manager max.']);
});
