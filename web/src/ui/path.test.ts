import { expect, test } from 'vitest';
import { matchPath } from './path.ts';

test('a path without parameters matches itself, with or without a slash at its end', () => {
  expect(matchPath({ pattern: '/swarms', pathname: '/swarms' })).toEqual({});
  expect(matchPath({ pattern: '/swarms', pathname: '/swarms/' })).toEqual({});
  expect(matchPath({ pattern: '/', pathname: '/' })).toEqual({});
});

test('a parameter takes one segment, decoded', () => {
  expect(matchPath({ pattern: '/devices/:id', pathname: '/devices/a%2Fb' })).toEqual({ id: 'a/b' });
  expect(matchPath({ pattern: '/devices/:id', pathname: '/devices/a/b' })).toBeNull();
  expect(matchPath({ pattern: '/devices/:id', pathname: '/devices' })).toBeNull();
});

test('a percent sign that encodes nothing is taken as it stands', () => {
  expect(matchPath({ pattern: '/devices/:id', pathname: '/devices/100%' })).toEqual({ id: '100%' });
});

test('another path is null, and the star is any', () => {
  expect(matchPath({ pattern: '/swarms', pathname: '/swarms-of-mine' })).toBeNull();
  expect(matchPath({ pattern: '*', pathname: '/no/such/page' })).toEqual({});
});
