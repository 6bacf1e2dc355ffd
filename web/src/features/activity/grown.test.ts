import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../text/text.ts';
import { grownSentences } from './grown.tsx';

beforeAll(() => loadTexts('en'));

test('names are listed by their role, and the reach is a sentence that counts no viewer', () => {
  expect(grownSentences('owner:max,watcher:wim,watcher:wok,receivers,listed')).toEqual([
    'More users see your devices in {swarm}: new owner max, new watchers wim and wok, devices of other users receive messages.',
    'Anyone can now find {swarm} and ask to join. Nobody sees your devices by that.',
  ]);
  expect(grownSentences('open')).toEqual([
    'Anyone with the link of {swarm} can now ask to join. Nobody sees your devices by that.',
  ]);
  expect(grownSentences('manager:max')).toEqual(['More users see your devices in {swarm}: new manager max.']);
});
