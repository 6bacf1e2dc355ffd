import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showTooltips } from './tooltips.ts';

let stop: () => void;
let button: HTMLButtonElement;
const tip = () => document.querySelector('.tooltip')!;
const isShown = vi.fn<(shown: boolean) => void>();
const fire = (type: string, init: PointerEventInit = {}) =>
  button.dispatchEvent(new PointerEvent(type, { bubbles: true, ...init }));

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(HTMLElement.prototype, { showPopover: () => isShown(true), hidePopover: () => isShown(false) });
  isShown.mockClear();
  document.body.innerHTML = '<button type="button" title="Sort"></button>';
  button = document.querySelector('button')!;
  stop = showTooltips();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('a pointer that rests on a button shows its title, which stays the name of the button', () => {
  fire('pointerover', { pointerType: 'mouse' });
  expect(isShown).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  expect(isShown).toHaveBeenLastCalledWith(true);
  expect(tip().textContent).toBe('Sort');
  // The browser shows no second one.
  expect([button.title, button.getAttribute('aria-label')]).toEqual(['', 'Sort']);
  document.body.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
  expect(isShown).toHaveBeenLastCalledWith(false);
  expect([button.title, button.getAttribute('aria-label')]).toEqual(['Sort', null]);
});

test('a finger that rests on a button shows its title, and does not press it', () => {
  const pressed = vi.fn<() => void>();
  button.addEventListener('click', pressed);
  fire('pointerdown', { pointerType: 'touch' });
  vi.advanceTimersByTime(500);
  expect(isShown).toHaveBeenLastCalledWith(true);
  fire('pointerup', { pointerType: 'touch' });
  button.click();
  expect(pressed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1500);
  expect(isShown).toHaveBeenLastCalledWith(false);
  fire('pointerdown', { pointerType: 'touch' });
  fire('pointerup', { pointerType: 'touch' });
  button.click();
  expect(pressed).toHaveBeenCalledOnce();
});

test('Esc and a press hide it', () => {
  for (const [type, init] of [
    ['keydown', { key: 'Escape' }],
    ['pointerdown', { pointerType: 'mouse' }],
  ] as const) {
    fire('pointerover', { pointerType: 'mouse' });
    vi.advanceTimersByTime(500);
    expect(isShown).toHaveBeenLastCalledWith(true);
    if (type === 'keydown') button.dispatchEvent(new KeyboardEvent(type, { bubbles: true, ...init }));
    else fire(type, init);
    expect(isShown).toHaveBeenLastCalledWith(false);
  }
});

test('the name of a button that has text stays, and its title still describes it', () => {
  button.textContent = 'Send';
  fire('pointerover', { pointerType: 'mouse' });
  vi.advanceTimersByTime(500);
  expect(isShown).toHaveBeenLastCalledWith(true);
  expect([button.getAttribute('aria-label'), button.getAttribute('aria-description')]).toEqual([null, 'Sort']);
  fire('pointerdown', { pointerType: 'mouse' });
  expect([button.title, button.getAttribute('aria-description')]).toEqual(['Sort', null]);
});

test('the title of a button that its press changes is its name at once', () => {
  button.addEventListener('click', () => (button.title = 'Unsort'));
  fire('pointerover', { pointerType: 'mouse' });
  vi.advanceTimersByTime(500);
  // Also the click of a key or of a screen reader.
  button.click();
  expect(isShown).toHaveBeenLastCalledWith(false);
  expect([button.title, button.getAttribute('aria-label')]).toEqual(['Unsort', null]);
});

test('a title that was removed meanwhile does not come back', () => {
  fire('pointerover', { pointerType: 'mouse' });
  vi.advanceTimersByTime(500);
  button.removeAttribute('title');
  fire('pointerdown', { pointerType: 'mouse' });
  expect(button.hasAttribute('title')).toBe(false);
});

test('a finger that rests on a button whose title has gone meanwhile presses it', () => {
  const pressed = vi.fn<() => void>();
  button.addEventListener('click', pressed);
  fire('pointerdown', { pointerType: 'touch' });
  button.title = '';
  vi.advanceTimersByTime(500);
  fire('pointerup', { pointerType: 'touch' });
  button.click();
  expect(isShown).not.toHaveBeenCalled();
  expect(pressed).toHaveBeenCalledOnce();
});

test('a button that also has a name of its own shows its title, and keeps the name', () => {
  button.setAttribute('aria-label', 'Sort by name');
  fire('pointerover', { pointerType: 'mouse' });
  vi.advanceTimersByTime(500);
  expect(isShown).toHaveBeenLastCalledWith(true);
  expect(button.getAttribute('aria-label')).toBe('Sort by name');
  fire('pointerdown', { pointerType: 'mouse' });
  expect([button.title, button.getAttribute('aria-label')]).toEqual(['Sort', 'Sort by name']);
});
