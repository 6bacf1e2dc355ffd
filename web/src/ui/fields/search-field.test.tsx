import { act, useLayoutEffect, useRef, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { KeysProvider } from '../keys/keys-provider.tsx';
import { SearchField } from './search-field.tsx';

const searched = vi.fn<(q: string) => void>();
const left = vi.fn<() => void>();
let root: Root;
/** Changes of `q` that the page has not rendered yet; undefined if it renders them at once. */
let held: string[] | undefined;
let setQ: (q: string) => void;

function Page() {
  const [q, set] = useState('');
  useLayoutEffect(() => {
    setQ = set;
  }, []);
  const field = useRef<HTMLInputElement>(null);
  const onChange = (next: string) => {
    searched(next);
    if (held) held.push(next);
    else set(next);
  };
  return <SearchField q={q} field={field} onChange={onChange} label="Search" placeholder="Name" onLeave={left} />;
}

const input = () => document.querySelector('input')!;
const press = (key: string) =>
  act(async () => input().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
const type = (text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input(), text);
    input().dispatchEvent(new Event('input', { bubbles: true }));
  });

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // Not setInterval, by which jsdom moves the focus: the window outlives this file.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  searched.mockClear();
  left.mockClear();
  held = undefined;
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () =>
    root.render(
      <KeysProvider>
        <Page />
      </KeysProvider>,
    ),
  );
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  vi.useRealTimers();
});

it('searches once for text that is typed without a pause', async () => {
  await type('cel');
  await type('cellar');
  expect(searched).not.toHaveBeenCalled();
  await act(async () => vi.advanceTimersByTimeAsync(250));
  expect(searched.mock.calls).toEqual([['cellar']]);
});

it('searches immediately on Enter, and moves on to the list on a second Enter', async () => {
  await type('cellar');
  await press('Enter');
  expect(searched.mock.calls).toEqual([['cellar']]);
  expect(left).not.toHaveBeenCalled();
  await press('Enter');
  expect(left).toHaveBeenCalledOnce();
});

it('leaves Enter to the input method while a character is being composed', async () => {
  await type('けんさく');
  for (const init of [{ isComposing: true }, { keyCode: 229 }]) {
    const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init });
    await act(async () => input().dispatchEvent(enter));
    expect(enter.defaultPrevented).toBe(false);
  }
  expect(searched).not.toHaveBeenCalled();
});

it('is cleared by Esc and loses the focus by a second Esc', async () => {
  await act(async () => input().focus());
  await type('cellar');
  await press('Escape');
  expect(input().value).toBe('');
  expect(searched.mock.calls).toEqual([['']]);
  expect(document.activeElement).toBe(input());
  await press('Escape');
  expect(document.activeElement).not.toBe(input());
});

it('keeps the focus when its clear button is pressed', async () => {
  await type('cellar');
  await act(async () => document.querySelector('button')!.click());
  expect(input().value).toBe('');
  expect(document.activeElement).toBe(input());
});

const pass = () => act(async () => vi.advanceTimersByTimeAsync(250));

it('keeps what was typed while its own change was on the way', async () => {
  held = [];
  await type('gat');
  await pass();
  await type('gate');
  await act(async () => setQ(held!.shift()!));
  expect(input().value).toBe('gate');
  await pass();
  expect(searched.mock.calls).toEqual([['gat'], ['gate']]);
  await act(async () => setQ(held!.shift()!));
  expect(input().value).toBe('gate');
});

it('takes a text that was set elsewhere, also one that was typed before', async () => {
  await type('gate');
  await pass();
  await act(async () => setQ(''));
  expect(input().value).toBe('');
  await act(async () => setQ('gate'));
  expect(input().value).toBe('gate');
});

it('searches once more if the text was changed back before its own change arrived', async () => {
  held = [];
  await type('gate');
  await pass();
  await type('');
  await act(async () => setQ(held!.shift()!));
  expect(input().value).toBe('');
  await pass();
  expect(searched.mock.calls).toEqual([['gate'], ['']]);
});
