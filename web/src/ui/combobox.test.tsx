import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Combobox } from './combobox.tsx';

const names = ['Coast', 'Harbour', 'Old harbour'];
const all = names.map((text) => ({ id: text, text }));
let root: Root;
let container: HTMLElement;
let chosen: string[];

/** Options that arrive `late` are not those of the search yet. */
function Page({ isLate }: { isLate: boolean }) {
  const [q, setQ] = useState('');
  const [value, setValue] = useState<string>();
  return (
    <Combobox
      label="Swarm"
      placeholder="Choose"
      value={all.find(({ id }) => id === value)}
      options={all.filter(({ text }) => text.toLowerCase().includes(q))}
      q={q}
      isSettled={!isLate || q === ''}
      onSearch={setQ}
      onChoose={(id) => {
        chosen.push(id);
        setValue(id);
      }}
    />
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, scrollIntoView: () => undefined });
  chosen = [];
  container = document.body.appendChild(document.createElement('div'));
  root = createRoot(container);
});
afterEach(async () => {
  await act(async () => root.unmount());
  container.remove();
  vi.useRealTimers();
});

const show = (isLate = false) => act(async () => root.render(<Page isLate={isLate} />));
const field = () => container.querySelector<HTMLInputElement>('[role=combobox]')!;
const options = () => [...container.querySelectorAll('[role=option]')].map(({ textContent }) => textContent);
const active = () => document.querySelector(`#${CSS.escape(field().getAttribute('aria-activedescendant')!)}`);
const press = (key: string) =>
  act(async () => void field().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
const type = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field(), text);
    field().dispatchEvent(new Event('input', { bubbles: true }));
    vi.advanceTimersByTime(200);
  });

test('an arrow key opens the options, moves through them, and Enter chooses one', async () => {
  await show();
  expect(field().getAttribute('aria-expanded')).toBe('false');
  await press('ArrowDown');
  expect(options()).toEqual(names);
  await press('ArrowDown');
  expect(active()?.textContent).toBe('Harbour');
  await press('Enter');
  expect(chosen).toEqual(['Harbour']);
  expect([field().value, options()]).toEqual(['Harbour', []]);
});

test('typing searches, and Escape leaves what was chosen before', async () => {
  await show();
  await type('old');
  expect(options()).toEqual(['Old harbour']);
  await press('Enter');
  await type('coast');
  expect(field().value).toBe('coast');
  await press('Escape');
  expect([field().value, chosen, options()]).toEqual(['Old harbour', ['Old harbour'], []]);
});

test('Enter chooses nothing of an earlier search', async () => {
  await show(true);
  await type('har');
  await press('Enter');
  expect(chosen).toEqual([]);
  await show(false);
  expect(chosen).toEqual(['Harbour']);
});
