import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { outbox } from '../data/outbox/outbox.ts';
import { minuteMs } from '@swarmdeck/bff/durations';
import { forgetPage } from '../data/new-page.ts';
import { restoreAddress } from '../data/network-page.ts';
import { reported } from '../ui/fields/unsaved-input.ts';
import { goToNetworkSignIn } from './network-sign-in.ts';

const replace = vi.fn<(path: string) => void>();
beforeEach(() => {
  vi.stubGlobal('location', { pathname: '/devices/1', search: '?tab=x', hash: '#place', replace });
  vi.stubGlobal('history', { state: null, replaceState: vi.fn<() => void>() });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  replace.mockReset();
  forgetPage();
});
const asked = () => {
  goToNetworkSignIn(new QueryClient());
  return replace.mock.calls.flat();
};

test('it goes to the same page of the network, without what is behind the #', () => {
  expect(asked()).toEqual(['/devices/1?tab=x&from-network']);
});

test('it does not go while something is typed, selected or waiting, or nobody looks', () => {
  reported.set(Symbol(), 'chosen');
  expect(asked()).toEqual([]);
  reported.clear();
  const list = vi.spyOn(outbox, 'list').mockReturnValue([{}] as never);
  expect(asked()).toEqual([]);
  list.mockRestore();
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  expect(asked()).toEqual([]);
  state.mockRestore();
  expect(asked()).toHaveLength(1);
});

test('a page that has come from there does not go there again for ten minutes, and has its address back', () => {
  asked();
  replace.mockReset();
  vi.stubGlobal('location', { pathname: '/devices/1', search: '?tab=x&from-network=', hash: '', replace });
  restoreAddress();
  expect(vi.mocked(history.replaceState).mock.calls).toEqual([[null, '', '/devices/1?tab=x#place']]);
  expect(asked()).toEqual([]);
  vi.spyOn(performance, 'now').mockReturnValue(11 * minuteMs);
  expect(asked()).toHaveLength(1);
});
