import { expect, test } from 'vitest';
import type { Resource } from '@swarmdeck/bff/contract';
import { withValues } from './cached-devices.ts';

const phone: Resource = {
  id: 'a',
  user_id: 'ann',
  name: 'Phone',
  machine_type: 'smartphone',
  position: { latitude: 54, longitude: 10 },
  positioned_at: '2026-01-02T03:00:00.000Z',
  accuracy: 10,
  created_at: '2026-01-02T03:00:00.000Z',
};

test('what was reported is about the reported position, not about one that the user has chosen', () => {
  const { accuracy: _accuracy, positioned_at: _at, ...rest } = phone;
  const position = { latitude: 55, longitude: 11 };
  expect(withValues(phone, { position })).toEqual({ ...rest, position });
  expect(withValues(phone, { position: undefined })).toEqual({ ...rest, position: undefined });
  expect(withValues(phone, { name: 'My phone' })).toEqual({ ...phone, name: 'My phone' });
});
