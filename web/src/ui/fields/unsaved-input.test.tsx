import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RowCheckbox } from '../lists/row-checkbox.tsx';
import { Checkbox } from './checkbox.tsx';
import { Field, LineField, TextArea, TextField } from './field.tsx';
import { PasswordField } from './password-field.tsx';
import { SearchField } from './search-field.tsx';
import { Segmented } from './segmented.tsx';
import { Select } from './select.tsx';
import { Switch } from './switch.tsx';
import {
  discardUnsavedInput,
  followInput,
  hasUnsavedInput,
  useStaysForInput,
  useUnsavedInput,
  wouldLoseInput,
} from './unsaved-input.ts';

/** Each way to ask for input, as other files of `ui` do. */
const parts = {
  checkbox: () => <Checkbox label="" checked={false} onChange={() => {}} />,
  rowCheckbox: () => <RowCheckbox label="" checked={false} onToggle={() => {}} />,
  switch: () => <Switch label="" checked={false} onChange={() => {}} />,
  segmented: () => <Segmented label="" value="" options={[{ value: 'one', label: '' }]} onChange={() => {}} />,
  select: () => <Select value="one" options={[{ value: 'one', label: '' }]} onChange={() => {}} />,
  searchField: () => <SearchField q="" label="" placeholder="" onChange={() => {}} />,
  textField: () => <Typed render={(field) => <TextField label="" {...field} />} />,
  lineField: () => <Typed render={(field) => <LineField label="" {...field} />} />,
  passwordField: () => <Typed render={(field) => <PasswordField label="" {...field} />} />,
  textArea: () => <Typed render={(field) => <TextArea label="" {...field} />} />,
  field: () => <Field label="">{(control) => <textarea {...control} defaultValue="before" />}</Field>,
};
type Part = keyof typeof parts;

interface TypedProps {
  render(field: { value: string; onChange(event: { currentTarget: { value: string } }): void }): React.ReactNode;
}
function Typed({ render }: TypedProps) {
  const [value, setValue] = useState('before');
  return render({ value, onChange: (event) => setValue(event.currentTarget.value) });
}

followInput(document);
let root: ReturnType<typeof createRoot>;
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const element = document.createElement('div');
  document.body.append(element);
  root = createRoot(element);
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  discardUnsavedInput();
});

const show = (what: React.ReactNode) => act(async () => root.render(what));
const control = () => document.querySelector<HTMLInputElement>('input, select, textarea')!;
/** What a browser does at a key. */
const type = (text: string) =>
  act(async () => {
    control().dispatchEvent(new Event('beforeinput', { bubbles: true }));
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control()) as object, 'value')!;
    set!.call(control(), text);
    control().dispatchEvent(new Event('input', { bubbles: true }));
  });
/** A key, or for what has no text a choice. */
const change = () => {
  const { tagName, type: kind } = control();
  if (tagName !== 'SELECT' && kind !== 'checkbox' && kind !== 'radio') return type('before1');
  return act(async () => void control().dispatchEvent(new Event('input', { bubbles: true })));
};

test.each(Object.keys(parts) as Part[])('%s in a form or dialog counts after one key', async (name) => {
  for (const In of ['form', 'dialog'] as const) {
    discardUnsavedInput();
    await show(<In>{parts[name]()}</In>);
    expect(hasUnsavedInput()).toBe(false);
    await change();
    expect(hasUnsavedInput(), In).toBe(true);
    await show(null);
    expect(hasUnsavedInput(), In).toBe(false);
  }
});

test('a text counts in any place until it is as before; what acts at once does not', async () => {
  await show(parts.textField());
  await type('before1');
  expect(hasUnsavedInput()).toBe(true);
  await type('before');
  expect(hasUnsavedInput()).toBe(false);
  for (const name of ['checkbox', 'switch', 'segmented', 'select', 'searchField'] as const) {
    await show(parts[name]());
    await change();
    expect(hasUnsavedInput(), name).toBe(false);
  }
});

test('what is typed to find an option does not count, not even in a dialog', async () => {
  await show(
    <dialog>
      <input role="combobox" aria-expanded={false} aria-controls="none" defaultValue="" />
    </dialog>,
  );
  await type('har');
  expect(hasUnsavedInput()).toBe(false);
});

test('a form that knows what is saved reports it, and a selection is lost only by loading again', async () => {
  function Page({ isChanged, selected }: { isChanged: boolean; selected: number }) {
    useUnsavedInput(isChanged);
    useUnsavedInput(selected > 1, 'chosen');
    return <form data-reports-changes>{parts.textField()}</form>;
  }
  await show(<Page isChanged={false} selected={1} />);
  await type('before1');
  expect(wouldLoseInput()).toBe(false);
  await show(<Page isChanged selected={1} />);
  expect(hasUnsavedInput()).toBe(true);
  await show(<Page isChanged={false} selected={2} />);
  expect([hasUnsavedInput(), wouldLoseInput()]).toEqual([false, true]);
});

function Part({ isGone }: { isGone: boolean }) {
  const stays = useStaysForInput(isGone);
  return (!isGone || stays) && parts.textField();
}

test('what is gone stays with what was typed in it, and without input it goes', async () => {
  await show(<Part isGone={false} />);
  await show(<Part isGone />);
  expect(document.querySelector('input')).toBeNull();
  await show(<Part isGone={false} />);
  await type('typed');
  await show(<Part isGone />);
  expect(control().value).toBe('typed');
  await type('before');
  expect(control().value).toBe('before');
});

test('what was gone from the beginning does not stay for the input of others', async () => {
  await show(parts.textField());
  await type('typed');
  await show(
    <>
      {parts.textField()}
      <Part isGone />
    </>,
  );
  expect(document.querySelectorAll('input')).toHaveLength(1);
});
