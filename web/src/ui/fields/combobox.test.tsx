import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Combobox } from './combobox.tsx';

const names = ['Coast', 'Harbour', 'Old harbour'];
const all = names.map((text) => ({ id: text, text }));
let root: Root;
let container: HTMLElement;
let chosen: string[];

interface PageProps {
  /** The options are not those of the search yet. */
  isLate?: boolean;
  first?: string;
  isInline?: boolean;
}

function Page({ isLate = false, first, isInline = false }: PageProps) {
  const [q, setQ] = useState('');
  const [value, setValue] = useState(first);
  return (
    <Combobox
      label="Swarm"
      placeholder="Choose"
      value={value === undefined ? undefined : { id: value, text: value }}
      options={[
        ...all.filter(({ text }) => text.toLowerCase().includes(q)),
        { id: 'create', text: 'Create…', isAction: true },
      ]}
      isInline={isInline}
      q={q}
      isSettled={!isLate || q === ''}
      onSearch={setQ}
      onChoose={(id, text) => {
        chosen.push(id === 'create' ? `create ${text}` : id);
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

const show = (props: PageProps = {}) => act(async () => root.render(<Page {...props} />));
const field = () => container.querySelector<HTMLInputElement>('[role=combobox]')!;
const options = () => [...container.querySelectorAll('[role=option]')].map(({ textContent }) => textContent);
const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '');
const marked = () => [...container.querySelectorAll('[aria-selected=true]')].map(({ textContent }) => textContent);
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
  expect(options()).toEqual([...names, 'Create…']);
  await press('ArrowDown');
  expect(active()?.textContent).toBe('Harbour');
  await press('Enter');
  expect(chosen).toEqual(['Harbour']);
  expect([field().value, options()]).toEqual(['Harbour', []]);
});

test('typing searches, and Escape leaves what was chosen before', async () => {
  await show();
  await type('old');
  expect(options()).toEqual(['Old harbour', 'Create…']);
  await press('Enter');
  await type('coast');
  expect(field().value).toBe('coast');
  await press('Escape');
  expect([field().value, chosen, options()]).toEqual(['Old harbour', ['Old harbour'], []]);
});

test('Enter chooses nothing of an earlier search', async () => {
  await show({ isLate: true });
  await type('har');
  await press('Enter');
  expect(chosen).toEqual([]);
  await show();
  expect(chosen).toEqual(['Harbour']);
});

test('Enter in opened options leaves what was chosen, which is marked', async () => {
  await show({ first: 'Harbour' });
  await press('ArrowDown');
  expect([active()?.textContent, marked()]).toEqual(['Harbour', ['Harbour']]);
  await press('Enter');
  expect(field().value).toBe('Harbour');
  await press('ArrowDown');
  await press('ArrowDown');
  expect([active()?.textContent, marked()]).toEqual(['Old harbour', ['Harbour']]);
  await press('Escape');
  await press('ArrowDown');
  expect(active()?.textContent).toBe('Harbour');
});

test('Enter leaves a chosen one that the options do not have', async () => {
  await show({ first: 'Lake' });
  await press('ArrowDown');
  expect(active()).toBeNull();
  await press('Enter');
  expect([chosen, field().getAttribute('aria-expanded')]).toEqual([[], 'false']);
});

test('an Enter that has waited for its options does not choose again when the same is typed', async () => {
  await show({ isLate: true });
  await type('har');
  await press('Enter');
  await show();
  await show({ isLate: true });
  await type('har');
  await show();
  expect(chosen).toEqual(['Harbour']);
});

test('Escape ends an Enter that waits for its options', async () => {
  await show({ isLate: true });
  await type('har');
  await press('Enter');
  await press('Escape');
  await type('har');
  await show();
  expect(chosen).toEqual([]);
});

test('Enter does not act where no option matches, and what is typed goes with an action', async () => {
  await show();
  await type('harbuor');
  await press('Enter');
  expect([chosen, options()]).toEqual([[], ['Create…']]);
  await press('ArrowDown');
  await press('Enter');
  expect(chosen).toEqual(['create harbuor']);
});

test('options that are always shown have an empty field, which keeps what is typed', async () => {
  await show({ first: 'Harbour', isInline: true });
  expect([field().value, marked()]).toEqual(['', ['Harbour']]);
  await act(async () => field().focus());
  await type('har');
  await act(async () => field().blur());
  expect([field().value, options()]).toEqual(['har', ['Harbour', 'Old harbour', 'Create…']]);
});

test('the arrow opens and closes the options, with the focus in the field', async () => {
  await show();
  const click = () => act(async () => container.querySelector<HTMLElement>('.combobox-arrow')?.click());
  await click();
  expect([options().length, document.activeElement]).toEqual([4, field()]);
  await click();
  expect(options()).toEqual([]);
});

test('a search that failed says so beside the field, and can be tried again', async () => {
  const refetch = vi.fn<() => void>();
  await act(async () =>
    root.render(
      <Combobox
        label="Swarm"
        placeholder="Choose"
        value={undefined}
        options={undefined}
        q="har"
        isSettled={false}
        failed={{ error: new Error(), refetch }}
        onSearch={() => undefined}
        onChoose={() => undefined}
      />,
    ),
  );
  await type('har');
  const retry = container.querySelector<HTMLButtonElement>('.combobox-popover button')!;
  await act(async () => retry.focus());
  await act(async () => retry.click());
  expect([refetch.mock.calls.length, field().value, document.activeElement]).toEqual([1, 'har', field()]);
});

test('a chosen name that turns text around is shown in its order', async () => {
  await show({ first: '\u202Elive\u202C' });
  expect(field().value).toBe('live');
  await press('ArrowDown');
  expect(field().placeholder).toBe('live');
});
