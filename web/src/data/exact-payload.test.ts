import { afterEach, expect, test, vi } from 'vitest';
import { exactValue, firstInexact } from './exact-payload.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  // Test files share their modules.
  vi.resetModules();
});

test('a typed value is sent with the digits that were typed', () => {
  const text = '{"id":1234567890123456789,"at":[21.0,1e3,-0,7],"name":"1.0"}';
  expect(JSON.stringify(exactValue(text))).toBe(text);
  expect(firstInexact(text)).toBeUndefined();
});

test('a browser that would send other digits names the first number of which it would', async () => {
  vi.resetModules();
  vi.stubGlobal('JSON', { parse: JSON.parse, stringify: JSON.stringify });
  const older = await import('./exact-payload.ts');
  expect(older.firstInexact('{"1.0":"a \\" 2.0","b":[3,1234567890123456789,4.0]}')).toEqual({
    typed: '1234567890123456789',
    sent: '1234567890123456800',
  });
  expect(older.firstInexact('{"b":[3,-4.5,true]}')).toBeUndefined();
  expect(older.exactValue('{"b":3}')).toEqual({ b: 3 });
});
