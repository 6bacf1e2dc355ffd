import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import * as reader from './invite-codes.ts';
import { useInviteCodes, type InviteCodes } from './use-invite-codes.ts';

test('each key in a long list is shown at once, and its lines are read once, after a pause', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.useFakeTimers();
  const read = vi.spyOn(reader, 'readCodes');
  let codes: InviteCodes | undefined;
  function List({ text }: { text: string }) {
    codes = useInviteCodes({
      user_id: 'ann',
      swarm: undefined,
      role: 'producer',
      text,
      answers: '',
      ends_at: undefined,
      failed: undefined,
      onText: () => {},
      onAnswers: () => {},
    });
    return null;
  }
  const root = createRoot(document.createElement('div'));
  const client = new QueryClient();
  const show = (text: string) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <List text={text} />
        </QueryClientProvider>,
      ),
    );
  const many = 'nonsense\n'.repeat(20_000);
  await show('short');
  expect(codes).toMatchObject({ isReading: false, lines: [{ text: 'short' }] });
  read.mockClear();
  for (const key of ['', 'a', 'ab', 'abc']) await show(many + key);
  expect(codes).toMatchObject({ text: `${many}abc`, isReading: true });
  expect(read).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(250));
  expect(read).toHaveBeenCalledOnce();
  expect([codes?.isReading, codes?.lines.length]).toEqual([false, 20_001]);
  await show('short again');
  expect(codes).toMatchObject({ isReading: false, lines: [{ text: 'short again' }] });
  await act(async () => root.unmount());
  vi.useRealTimers();
  vi.restoreAllMocks();
});
