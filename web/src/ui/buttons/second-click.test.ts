import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ignoreStraySecondClicks } from './second-click.ts';

const pressed = vi.fn<(name: string) => void>();
let stop: () => void;

beforeEach(() => {
  pressed.mockClear();
  document.body.innerHTML =
    '<button id="reject"></button><button id="undo"></button><label><input id="box" type="checkbox"></label><input id="name">';
  for (const element of document.querySelectorAll('[id]')) {
    element.addEventListener('click', () => pressed(element.id));
  }
  stop = ignoreStraySecondClicks(document);
});
afterEach(() => stop());

interface Click {
  at: number;
  x?: number;
  detail?: number;
  pointerType?: string;
}

/** A click `at` ms after the start. */
function click(id: string, { at, x = 100, detail = 1, pointerType = 'touch' }: Click) {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, clientX: x, clientY: 50, detail });
  Object.defineProperties(event, { timeStamp: { value: at }, pointerType: { value: pointerType } });
  document.querySelector(`#${id}`)?.dispatchEvent(event);
}
const names = () => pressed.mock.calls.map(([name]) => name);

test('a double tap on Reject does not press the Undo that appears under the finger', () => {
  click('reject', { at: 0 });
  click('undo', { at: 150 });
  click('undo', { at: 450 });
  expect(names()).toEqual(['reject']);
});

test('a double tap on a checkbox does not press the button that appears under the finger', () => {
  click('box', { at: 0 });
  expect(document.querySelector<HTMLInputElement>('#box')?.checked).toBe(true);
  click('undo', { at: 150 });
  expect(names()).toEqual(['box']);
});

test('a later click and clicks elsewhere, by keyboard or on the same control are not ignored', () => {
  click('reject', { at: 0 });
  click('reject', { at: 150 });
  click('undo', { at: 160, x: 140 });
  click('reject', { at: 1000 });
  click('undo', { at: 1400 });
  click('reject', { at: 1410, detail: 0 });
  expect(names()).toEqual(['reject', 'reject', 'undo', 'reject', 'undo', 'reject']);
});

test('with a mouse, only the second click of a double click is ignored', () => {
  click('reject', { at: 0, pointerType: 'mouse' });
  click('undo', { at: 150, pointerType: 'mouse', detail: 2 });
  click('undo', { at: 300, pointerType: 'mouse' });
  expect(names()).toEqual(['reject', 'undo']);
});

describe('a control that acts', () => {
  beforeEach(() => document.querySelector('#reject')!.setAttribute('data-acts', ''));

  test.each(['touch', 'mouse'])(
    'takes no second click for 700 ms, nor does what appears under it (%s)',
    (pointerType) => {
      click('reject', { at: 0, pointerType });
      click('reject', { at: 500, x: 300, pointerType });
      click('reject', { at: 699, pointerType });
      expect(names()).toEqual(['reject']);
      click('reject', { at: 700, pointerType });
      click('undo', { at: 1390, pointerType, detail: 2 });
      expect(names()).toEqual(['reject', 'reject']);
    },
  );

  test('takes no second click soon after what it has replaced', () => {
    click('undo', { at: 0 });
    click('reject', { at: 690 });
    expect(names()).toEqual(['undo']);
  });

  test('takes a click after input, as in a form that had a mistake', () => {
    click('reject', { at: 0 });
    document.querySelector('#name')!.dispatchEvent(new Event('input', { bubbles: true }));
    click('reject', { at: 300 });
    expect(names()).toEqual(['reject', 'reject']);
  });

  test('takes a click after a key, as after Escape in the dialog that the first click has opened', () => {
    click('reject', { at: 0 });
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    click('reject', { at: 300 });
    expect(names()).toEqual(['reject', 'reject']);
  });

  test('leaves clicks elsewhere and by keyboard', () => {
    click('reject', { at: 0 });
    click('undo', { at: 100, x: 300 });
    click('reject', { at: 200 });
    click('reject', { at: 210, detail: 0 });
    expect(names()).toEqual(['reject', 'undo', 'reject', 'reject']);
  });
});

test('the click that a label forwards to its control is not ignored', () => {
  const label = document.querySelector('label')!;
  label.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
  expect(names()).toEqual(['box']);
  expect(document.querySelector<HTMLInputElement>('#box')?.checked).toBe(true);
});
