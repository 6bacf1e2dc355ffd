import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { useLongPress } from './long-press.ts';

function Rows({ onPress, onClick }: { onPress(): void; onClick(row: string): void }) {
  const press = useLongPress(onPress);
  return ['first', 'second'].map((row) => (
    <button key={row} type="button" id={row} onClick={() => onClick(row)} {...(row === 'first' && press)}>
      {row}
    </button>
  ));
}

test('the tap of a long press is no click, also of a row that has moved below the finger', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const page = document.body.appendChild(document.createElement('div'));
  const root = createRoot(page);
  const [onPress, onClick] = [vi.fn<() => void>(), vi.fn<(row: string) => void>()];
  await act(async () => root.render(<Rows onPress={onPress} onClick={onClick} />));
  const row = (id: string) => page.querySelector<HTMLElement>(`#${id}`)!;
  const touch = (id: string, type: string) =>
    act(async () => row(id).dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'touch' })));

  await touch('first', 'pointerdown');
  await act(() => vi.advanceTimersByTimeAsync(600));
  expect(onPress).toHaveBeenCalledOnce();
  await touch('second', 'pointerup');
  await act(async () => row('second').click());
  expect(onClick).not.toHaveBeenCalled();

  await touch('second', 'pointerdown');
  await touch('second', 'pointerup');
  await act(async () => row('second').click());
  expect(onClick).toHaveBeenCalledWith('second');
  await act(async () => root.unmount());
  page.remove();
});
