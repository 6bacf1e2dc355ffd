import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { silenceSound, useSilenceSound } from './silence-sound.ts';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
afterEach(() => silenceSound.set('off'));

test('a new silence is heard, if it is switched on; the first number and fewer are not', async () => {
  const starts: number[] = [];
  class Node {
    gain = { setTargetAtTime() {} };
    connect = <Next>(next: Next) => next;
    start = (at: number) => void starts.push(at);
    stop() {}
  }
  vi.stubGlobal(
    'AudioContext',
    class {
      currentTime = 10;
      async close() {}
    },
  );
  vi.stubGlobal('GainNode', Node);
  vi.stubGlobal('OscillatorNode', Node);
  const Wall = ({ silent }: { silent: number | undefined }) => (useSilenceSound(silent), null);
  const root = createRoot(document.createElement('div'));
  const counted = async (silent: number | undefined) => {
    await act(async () => root.render(createElement(Wall, { silent })));
    return starts.splice(0).length;
  };
  const tones: number[] = [];
  for (const silent of [undefined, 2, 3]) tones.push(await counted(silent));
  await act(async () => silenceSound.set('on'));
  for (const silent of [3, 4, undefined, 4, 3, 5]) tones.push(await counted(silent));
  expect(tones).toEqual([0, 0, 0, 0, 2, 0, 0, 0, 2]);
  await act(async () => root.unmount());
});
