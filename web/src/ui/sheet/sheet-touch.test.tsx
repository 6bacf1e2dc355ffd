import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mountPart } from '../mounted.fixture.tsx';
import { Sheet } from './sheet.tsx';

beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => vi.restoreAllMocks());

/** The card of a sheet on a screen of 600 px. */
async function mountCard(height: number) {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(function at(this: HTMLElement) {
    return this.matches('.sheet-card') ? Math.min(height, 532) : 600;
  });
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockImplementation(function at(this: HTMLElement) {
    return this.matches('.sheet-card') ? height : 0;
  });
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ height } as DOMRect);
  const stays = { up() {}, down() {} };
  const { container, unmount } = await mountPart(
    <Sheet
      label="Devices"
      handleLabel="Move"
      stop="card"
      onStop={() => {}}
      onHeight={() => {}}
      onCard={stays}
      card={<p>Place</p>}
    >
      <p>Rows</p>
    </Sheet>,
  );
  container.querySelector<HTMLElement>('.sheet-card')!.style.overflowY = 'auto';
  /** Whether the sheet takes the movement of a finger, so that nothing scrolls. */
  const isTaken = async (up: number) => {
    const touch = (type: string, clientY: number) =>
      Object.assign(new Event(type, { bubbles: true, cancelable: true }), { touches: [{ clientX: 100, clientY }] });
    const text = container.querySelector('p')!;
    const move = touch('touchmove', 300 - up);
    await act(async () => {
      text.dispatchEvent(touch('touchstart', 300));
      text.dispatchEvent(move);
      text.dispatchEvent(touch('touchend', 300 - up));
    });
    return move.defaultPrevented;
  };
  return { isTaken, unmount };
}

test('a finger scrolls a card that is higher than its sheet can be', async () => {
  const { isTaken, unmount } = await mountCard(900);
  await expect(isTaken(50)).resolves.toBe(false);
  await expect(isTaken(-50)).resolves.toBe(true);
  await unmount();
});

test('a finger moves a card that is whole', async () => {
  const { isTaken, unmount } = await mountCard(200);
  await expect(isTaken(50)).resolves.toBe(true);
  await unmount();
});
