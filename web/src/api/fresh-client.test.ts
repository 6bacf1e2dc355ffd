import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test } from 'vitest';
import { FreshClient } from './fresh-client.ts';

let stop: () => void;
afterEach(() => stop());

/** Somebody looks at a number of the server, which is answered when the test says so. */
function watch() {
  const client = new FreshClient({ defaultOptions: { queries: { retry: false } } });
  const asked: { answer: () => void; fail: () => void }[] = [];
  let truth = 1;
  const observer = new QueryObserver(client, {
    queryKey: ['count'],
    queryFn: ({ signal }) => {
      const read = truth;
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      asked.push({ answer: () => resolve(read), fail: () => reject(new Error('nobody')) });
      return promise;
    },
  });
  stop = observer.subscribe(() => undefined);
  const change = () => {
    truth -= 1;
    return client.invalidateQueries({ queryKey: ['count'] });
  };
  return { asked, change, shown: () => observer.getCurrentResult() };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

test('a first answer that may be older than the news is shown, and read once more', async () => {
  const { asked, change, shown } = watch();
  const fresh = [change(), change()];
  expect(asked).toHaveLength(1);
  asked[0]!.answer();
  await turn();
  expect(shown().data).toBe(1);
  expect(asked).toHaveLength(2);
  asked[1]!.answer();
  await Promise.all(fresh);
  expect(shown().data).toBe(-1);
  expect(asked).toHaveLength(2);
});

test('a later one that may be older is let go of', async () => {
  const { asked, change, shown } = watch();
  asked[0]!.answer();
  await turn();
  const fresh = [change(), change()];
  asked[1]!.answer();
  asked[2]!.answer();
  await Promise.all(fresh);
  expect(shown().data).toBe(-1);
  expect(asked).toHaveLength(3);
});

test('a first read that fails is left to whoever tries again', async () => {
  const { asked, change, shown } = watch();
  const fresh = change();
  asked[0]!.fail();
  await fresh;
  expect(shown().error).toBeInstanceOf(Error);
  expect(asked).toHaveLength(1);
});
