import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { OfflineError, ProblemError } from './problem.ts';
import { useGone } from './use-gone.ts';

const problem = (status: number) => new ProblemError({ problem: { status } as ProblemError['problem'] });

test('what is gone stays so until a response has it again', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.createElement('div');
  const root = createRoot(container);
  function Page(read: Parameters<typeof useGone>[0]) {
    return useGone(read) ? 'gone' : 'there';
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
