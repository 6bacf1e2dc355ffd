import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import type { Device } from '@swarmdeck/bff/contract';
import { useSilenceSound, type SilentDevices } from './silence-sound.ts';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);

test('a device that falls silent is heard, also while another one is back; the first ones and those that are back are not', async () => {
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
  const page = (ids: string, next: string | null = null): SilentDevices => ({
    next,
    items: [...ids].map((id) => ({ id, presence: { state: 'silent', heard_at: id } }) as Device),
  });
  const Wall = ({ silent }: { silent: SilentDevices | undefined }) => (useSilenceSound(silent), null);
  const root = createRoot(document.createElement('div'));
  const tones: number[] = [];
  for (const silent of [
    undefined,
    page('ba'),
    page('ca'),
    page('a'),
    page('a'),
    undefined,
    page('ca'),
    page('dc', 'more'),
    page('cb', 'more'),
    page('ec', 'more'),
  ]) {
    await act(async () => root.render(createElement(Wall, { silent })));
    tones.push(starts.splice(0).length);
  }
  expect(tones).toEqual([0, 0, 2, 0, 0, 0, 2, 2, 0, 2]);
  await act(async () => root.unmount());
});
