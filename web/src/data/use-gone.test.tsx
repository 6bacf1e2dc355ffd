import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { OfflineError, ProblemError } from './problem.ts';
import { useGone } from './use-gone.ts';

const problem = (status: number) => new ProblemError({ problem: { status } as ProblemError['problem'] });

test('a fetch that changes nothing renders nothing', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const client = new QueryClient();
  let renders = 0;
  let fetches = 0;
  function Page() {
    renders += 1;
    const query = useQuery({
      queryKey: ['one'],
      queryFn() {
        fetches += 1;
        return { name: 'one' };
      },
    });
    return useGone('one', query) ? 'gone' : query.data?.name;
  }
  const container = document.createElement('div');
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <Page />
      </QueryClientProvider>,
    ),
  );
  // A query tells its observers in a turn of its own.
  const nextTurn = () => act(async () => new Promise((resolve) => setTimeout(resolve)));
  await nextTurn();
  expect([fetches, renders, container.textContent]).toEqual([1, 2, 'one']);
  for (let again = 0; again < 2; again += 1) {
    await act(() => client.refetchQueries());
    await nextTurn();
  }
  expect([fetches, renders]).toEqual([3, 2]);
  await act(async () => root.unmount());
  client.clear();
});

test('what is gone stays so until a response has it again', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.createElement('div');
  const root = createRoot(container);
  function Page({ id, ...read }: { id: string; error: unknown; dataUpdatedAt: number }) {
    return useGone(id, read) ? 'gone' : 'there';
  }
  const steps: [string, unknown, number, string][] = [
    ['a', null, 0, 'there'],
    ['a', new OfflineError(), 0, 'there'],
    ['a', problem(404), 1, 'gone'],
    ['a', new OfflineError(), 1, 'gone'],
    ['a', problem(500), 1, 'gone'],
    ['a', null, 1, 'gone'],
    ['a', null, 2, 'there'],
    ['a', problem(404), 2, 'gone'],
    ['b', null, 2, 'there'],
  ];
  for (const [id, error, dataUpdatedAt, shown] of steps) {
    await act(async () => root.render(<Page id={id} error={error} dataUpdatedAt={dataUpdatedAt} />));
    expect(container.textContent, `${id} ${String(error)} ${dataUpdatedAt}`).toBe(shown);
  }
  await act(async () => root.unmount());
});
