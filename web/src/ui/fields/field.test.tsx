import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { LineField } from './field.tsx';

function Form({ start }: { start: string }) {
  const [value, setValue] = useState(start);
  return <LineField label="Name" value={value} onChange={(event) => setValue(event.currentTarget.value)} />;
}

beforeEach(() => void vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));

const field = () => document.querySelector<HTMLInputElement | HTMLTextAreaElement>('[dir="auto"]')!;

async function open(start: string) {
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () => root.render(<Form start={start} />));
  return { [Symbol.asyncDispose]: () => act(async () => root.unmount()) };
}

async function type(text: string) {
  const { prototype } = field() instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(field(), text);
    field().dispatchEvent(new Event('input', { bubbles: true }));
  });
}

test('a line break of a name is kept while the rest is edited', async () => {
  await using _form = await open('two\nlines');
  expect(field().value).toBe('two\nlines');
  await type('two\nlines!');
  expect(field().value).toBe('two\nlines!');
});

test('the field stays the same one when its line break is deleted, so that it keeps the focus', async () => {
  await using _form = await open('two\nlines');
  const before = field();
  await type('one line');
  expect(field()).toBe(before);
});

test('a name of one line has a field of one line', async () => {
  await using _form = await open('one line');
  expect(field()).toBeInstanceOf(HTMLInputElement);
});
