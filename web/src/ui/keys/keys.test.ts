import { afterEach, expect, test, vi } from 'vitest';
import type { CommandScope } from './commands.ts';
import { createKeys } from './keys.ts';

let time = 0;
let enabled = true;
const keys = createKeys({ enabled: () => enabled, now: () => time });
const listen = (event: KeyboardEvent) => keys.handle(event);
document.addEventListener('keydown', listen);

const idOf: Record<string, string> = { 'mod k': 'jump' };

let takeBack: (() => void)[] = [];
const on = (names: string[], scope: CommandScope = 'devices') => {
  const bindings = Object.fromEntries(names.map((name) => [name, vi.fn<() => void>()]));
  const commands = names.map((name) => ({ scope, id: idOf[name] ?? name, keys: name, run: bindings[name]! }));
  keys.offer(bindings, { scope, commands });
  takeBack.push(() => keys.offer(bindings, null));
  return bindings;
};
const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));
const add = (html: string) => {
  document.body.innerHTML = html;
  return document.body.firstElementChild!;
};

afterEach(() => {
  for (const back of takeBack) back();
  takeBack = [];
  enabled = true;
  time += 10_000;
  document.body.innerHTML = '';
});

test('a key runs its registered action until it is unregistered', () => {
  const { c } = on(['c']);
  press('c');
  press('C');
  expect(c).toHaveBeenCalledTimes(2);
  takeBack.pop()?.();
  press('c');
  expect(c).toHaveBeenCalledTimes(2);
});

test('the binding that was registered last comes first', () => {
  const [page, dialog] = [on(['Escape']), on(['Escape'])];
  press('Escape');
  expect(dialog['Escape']).toHaveBeenCalledTimes(1);
  expect(page['Escape']).not.toHaveBeenCalled();
});

test('global bindings come last, whenever they were registered', () => {
  const [page, shell] = [on(['i'], 'own_swarm'), on(['i'], 'everywhere')];
  press('i');
  expect(page['i']).toHaveBeenCalledTimes(1);
  expect(shell['i']).not.toHaveBeenCalled();
  expect(keys.layers().map(({ scope }) => scope)).toEqual(['own_swarm', 'everywhere']);
});

test('who shows the possible commands is told when a part offers others, and has those before unchanged', () => {
  const isTold = vi.fn<() => void>();
  takeBack.push(keys.subscribe(isTold));
  on(['/']);
  const before = keys.layers();
  const [layer] = before;
  on(['Escape'], 'own_swarm');
  expect(isTold).toHaveBeenCalledTimes(2);
  expect([before, keys.layers()[1]]).toEqual([[layer], layer]);
});

test('Ctrl with a letter works in text fields and with shortcuts off, but not with Shift', () => {
  const { 'mod k': jump } = on(['mod k']);
  enabled = false;
  press('k', { ctrlKey: true }, add('<input>'));
  expect(jump).toHaveBeenCalledTimes(1);
  press('K', { ctrlKey: true, shiftKey: true });
  expect(jump).toHaveBeenCalledTimes(1);
});

test('Ctrl A selects the text of a field that has the focus, and otherwise rows', () => {
  const { 'mod a': selectAll } = on(['mod a']);
  expect(press('a', { ctrlKey: true }, add('<input>'))).toBe(true);
  expect(selectAll).not.toHaveBeenCalled();
  expect(press('a', { ctrlKey: true }, add('<input type="checkbox">'))).toBe(false);
  expect(selectAll).toHaveBeenCalledTimes(1);
});

test('a button can trigger a key, even with shortcuts off', () => {
  const { 'mod k': jump } = on(['mod k'], 'everywhere');
  enabled = false;
  keys.run('jump');
  expect(jump).toHaveBeenCalledTimes(1);
  takeBack.pop()?.();
  keys.run('jump');
  expect(jump).toHaveBeenCalledTimes(1);
});

test('a sequence needs two keys, one after the other', () => {
  const bindings = on(['g d', 'd']);
  press('g');
  press('d');
  expect(bindings['g d']).toHaveBeenCalledTimes(1);
  expect(bindings['d']).not.toHaveBeenCalled();
});

test('a sequence times out after its first key', () => {
  const bindings = on(['g d', 'd']);
  press('g');
  time += 2000;
  press('d');
  expect(bindings['g d']).not.toHaveBeenCalled();
  expect(bindings['d']).toHaveBeenCalledTimes(1);
});

test.each(['<input>', '<textarea></textarea>', '<select></select>', '<div contenteditable="true"></div>'])(
  'letter shortcuts do not run in %s',
  (html) => {
    const { c } = on(['c']);
    press('c', {}, add(html));
    expect(c).not.toHaveBeenCalled();
  },
);

test('letter shortcuts run in a checkbox', () => {
  const { c } = on(['c']);
  press('c', {}, add('<input type="checkbox">'));
  expect(c).toHaveBeenCalledTimes(1);
});

test('Enter presses the button that has the focus', () => {
  const { Enter } = on(['Enter']);
  press('Enter', {}, add('<button>Open</button>'));
  expect(Enter).not.toHaveBeenCalled();
  press('Enter');
  expect(Enter).toHaveBeenCalledTimes(1);
});

test.each([{ repeat: true }, { ctrlKey: true }, { metaKey: true }, { altKey: true }])(
  'a letter with %o runs no shortcut',
  (init) => {
    const { c } = on(['c']);
    press('c', init);
    expect(c).not.toHaveBeenCalled();
  },
);

test.each([
  ['с', 'KeyC', 'on a Cyrillic layout'],
  ['ؤ', 'KeyC', 'on an Arabic layout'],
  ['c', 'KeyI', 'by the letter on it, on a Latin layout'],
])('%s (%s) runs the shortcut C %s', (key, code) => {
  const { c } = on(['c']);
  press(key, { code });
  expect(c).toHaveBeenCalledTimes(1);
});

test('Ctrl with a letter works on a Cyrillic layout', () => {
  const { 'mod k': jump } = on(['mod k']);
  press('л', { code: 'KeyK', ctrlKey: true });
  expect(jump).toHaveBeenCalledTimes(1);
});

test('text that is typed while a dialog loads is collected and runs no shortcut', () => {
  const bindings = on(['i', 'g a', 'Enter', 'mod k']);
  keys.collectTyped();
  for (const key of ['I', 'g', 'a', ' ', 'x', 'Backspace', 'ł', 'Enter']) press(key);
  press('k', { ctrlKey: true });
  expect(bindings['mod k']).toHaveBeenCalledTimes(1);
  keys.collectTyped();
  expect(keys.takeTyped()).toBe('Iga ł');
  for (const name of ['i', 'g a', 'Enter']) expect(bindings[name]).not.toHaveBeenCalled();
  press('i');
  expect(bindings['i']).toHaveBeenCalledTimes(1);
});

test('shortcuts work again after Esc, and after a dialog has not opened for 11 seconds', () => {
  const { i } = on(['i']);
  keys.collectTyped();
  press('a');
  press('Escape');
  expect(keys.takeTyped()).toBe('');
  keys.collectTyped();
  time += 11_000;
  press('i');
  expect(i).toHaveBeenCalledTimes(1);
});

test('no shortcut runs behind a dialog', () => {
  const { c } = on(['c']);
  add('<dialog open></dialog>');
  press('c');
  expect(c).not.toHaveBeenCalled();
});

test('with shortcuts off, letters do nothing and Esc works', () => {
  const bindings = on(['c', 'Escape']);
  enabled = false;
  press('c');
  press('Escape');
  expect(bindings['c']).not.toHaveBeenCalled();
  expect(bindings['Escape']).toHaveBeenCalledTimes(1);
});
