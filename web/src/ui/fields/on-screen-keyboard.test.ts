import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followKeyboard } from './on-screen-keyboard.ts';

const root = document.documentElement;
const view = Object.assign(new EventTarget(), { height: 844, scale: 1 });
const field = document.createElement('input');

let stop = () => {};

const resizeTo = (size: { page: number; seen: number; scale?: number }) => {
  vi.stubGlobal('innerHeight', size.page);
  Object.assign(view, { height: size.seen, scale: size.scale ?? 1 });
  view.dispatchEvent(new Event('resize'));
};
const keyboard = () => ({
  isOpen: root.hasAttribute('data-keyboard'),
  covers: root.style.getPropertyValue('--keyboard'),
});

beforeEach(() => {
  vi.stubGlobal('visualViewport', view);
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.stubGlobal('innerWidth', 390);
  vi.stubGlobal('innerHeight', 844);
  document.body.append(field);
  stop = followKeyboard();
  resizeTo({ page: 844, seen: 844 });
});
afterEach(() => {
  stop();
  field.remove();
  root.removeAttribute('data-keyboard');
  root.style.removeProperty('--keyboard');
});

test('a keyboard that resizes the page is detected and covers nothing', () => {
  field.focus();
  resizeTo({ page: 500, seen: 500 });
  expect(keyboard()).toEqual({ isOpen: true, covers: '0px' });
  resizeTo({ page: 844, seen: 844 });
  expect(keyboard().isOpen).toBe(false);
});

test('a keyboard that overlays the page is detected with the height that it covers', () => {
  field.focus();
  resizeTo({ page: 844, seen: 500 });
  expect(keyboard()).toEqual({ isOpen: true, covers: '344px' });
  field.blur();
  resizeTo({ page: 844, seen: 844 });
  expect(keyboard()).toEqual({ isOpen: false, covers: '0px' });
});

test('a tap beside the field moves nothing before the keyboard has closed', () => {
  const button = document.createElement('button');
  document.body.append(button);
  field.focus();
  resizeTo({ page: 844, seen: 500 });
  button.focus();
  expect(keyboard()).toEqual({ isOpen: true, covers: '344px' });
  button.blur();
  expect(keyboard().isOpen).toBe(true);
  resizeTo({ page: 844, seen: 700 });
  expect(keyboard()).toEqual({ isOpen: false, covers: '0px' });
  button.remove();
});

test('zooming in, rotating the phone and resizing without a focused field are not a keyboard', () => {
  field.focus();
  resizeTo({ page: 844, seen: 422, scale: 2 });
  expect(keyboard().isOpen).toBe(false);
  vi.stubGlobal('innerWidth', 844);
  resizeTo({ page: 390, seen: 390 });
  expect(keyboard().isOpen).toBe(false);
  field.blur();
  resizeTo({ page: 200, seen: 200 });
  expect(keyboard().isOpen).toBe(false);
});
