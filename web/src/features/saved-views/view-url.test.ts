import { expect, test } from 'vitest';
import { isSameView, viewPageOf, viewUrlOf } from './view-url.ts';

const shown = (url: string) => {
  const [pathname = '', search = ''] = url.split('?');
  return viewUrlOf({ pathname, search });
};

test('the list and the walls can be saved as views, other pages cannot', () => {
  expect(viewPageOf('/')).toEqual({ kind: 'list', swarm: null });
  expect(viewPageOf('/map')).toEqual({ kind: 'wall', swarm: null });
  expect(viewPageOf('/swarms/abc/map')).toEqual({ kind: 'wall', swarm: 'abc' });
  expect(['/swarms/abc', '/account', '/map/x'].map(viewPageOf)).toEqual([null, null, null]);
  expect(shown('/account')).toBeNull();
});

test('the shown URL has only the parameters that affect what is shown', () => {
  expect(shown('/?sel=1&lang=en-XR&q=lamp&map=5/52/13&in_view=1')).toBe('/?q=lamp&in_view=1&map=5%2F52%2F13');
  expect(shown('/?q=&sel=1')).toBe('/');
  expect(shown('/map?sel=1&machine_type=&q=lamp')).toBe('/map?machine_type=');
  expect(shown('/map?sel=1&follow=1&colour=heard')).toBe('/map?colour=heard&sel=1&follow=1');
});

test('two URLs are the same view regardless of the order of parameters and values', () => {
  expect(isSameView('/?machine_type=pc,bug&q=a', '/?q=a&machine_type=bug%2Cpc')).toBe(true);
  expect(isSameView('/?q=a', '/?q=b')).toBe(false);
  expect(isSameView('/?q=a', '/')).toBe(false);
  expect(isSameView('/', '/map')).toBe(false);
});

test('two map views that differ by about a pixel are the same view', () => {
  expect(isSameView('/?map=5.2/52.1/13.4', '/?map=5.21/52.105/13.405')).toBe(true);
  expect(isSameView('/?map=5.2/52.1/13.4', '/?map=5.2/52.1/14.4')).toBe(false);
  expect(isSameView('/?map=5.2/52.1/13.4', '/?map=6/52.1/13.4')).toBe(false);
  expect(isSameView('/?map=14/52.1/13.4', '/?map=14/52.1/13.405')).toBe(false);
  expect(isSameView('/?map=5.2/52.1/13.4', '/')).toBe(false);
});
