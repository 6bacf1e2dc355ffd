import { QueryClient } from '@tanstack/react-query';
import { beforeAll, expect, test } from 'vitest';
import type { Device } from '@swarmdeck/bff/contract';
import { deviceQuery } from '../../../data/cache/device-query.ts';
import { formatInterval } from '../../../text/formats.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { ExpectedField } from './expected-field.tsx';

beforeAll(() => loadTexts('en'));

interface Shown {
  /** What the form has. */
  value?: number;
  readOnly?: boolean;
  /** What the server says. */
  expected?: Device['expected'];
}

async function hintOf({ value, readOnly = false, expected }: Shown) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(deviceQuery('d').queryKey, { id: 'd', ...(expected && { expected }) } as Device);
  const field = { isChanged: false, readOnly, resource_id: 'd', error: undefined, onChange: () => undefined };
  const part = await mountPart(<ExpectedField {...field} value={value} />, client);
  const hint = part.container.querySelector('.field-hint')?.textContent?.trim() ?? '';
  await part.unmount();
  return hint;
}
const expected = { every: 60, swarm: { id: 'b', name: 'Harbour weather' } };
const applies = () => t.device.form.expected_of(formatInterval(60)).replace('{swarm}', 'Harbour weather');

test('without a time of its own, the field says which time applies, and which swarm sets it', async () => {
  expect(await hintOf({ expected })).toBe(`${applies()} ${t.device.form.expected_hint}`);
  expect(await hintOf({ expected, readOnly: true }), 'of another user').toBe(applies());
});

test('nothing is said of swarms if the device has a time of its own, or no swarm sets one', async () => {
  for (const shown of [{ value: 300, expected }, { expected: { every: 60 } }, {}])
    expect(await hintOf(shown)).toBe(t.device.form.expected_hint);
});
