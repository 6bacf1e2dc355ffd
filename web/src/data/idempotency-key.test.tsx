import { expect, test } from 'vitest';
import { mountPart } from '../ui/mounted.fixture.tsx';
import { useIdempotencyKeys } from './idempotency-key.ts';

test('a request has the same key until it is done, also in a form that was opened again', async () => {
  let keys!: ReturnType<typeof useIdempotencyKeys>;
  const Form = () => ((keys = useIdempotencyKeys('/api/swarms')), null);
  const page = await mountPart(<Form />);
  const first = keys.keyFor({ name: 'a' });
  expect(keys.keyFor({ name: 'b' })).not.toBe(first);
  await page.show(null);
  await page.show(<Form />);
  expect(keys.keyFor({ name: 'a' })).toBe(first);
  keys.noteDone({ name: 'a' });
  expect(keys.keyFor({ name: 'a' })).not.toBe(first);
  await page.unmount();
});
