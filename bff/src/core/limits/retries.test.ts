import { expect, test } from 'vitest';
import { countRetries } from './retries.ts';

test('a loop ends whose write always fails while its check passes', async () => {
  let writes = 0;
  async function changeRecord(): Promise<void> {
    for (const retry = countRetries(); ; retry()) {
      writes += 1;
      const isWritten = await Promise.resolve(false);
      if (isWritten) return;
    }
  }
  await expect(changeRecord()).rejects.toThrow('The write has failed 1001 times, although its check has passed');
  expect(writes).toBe(1001);
});
