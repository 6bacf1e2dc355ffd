import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { errorSentence, OfflineError } from '../../data/problem.ts';
import { loadTexts } from '../../text/text.ts';
import { OutcomeToasts } from './outcome-toasts.tsx';
import { mountPart } from '../mounted.fixture.tsx';
import { waitFor } from '../wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

const failed = () => 'The device was not added';

/** Sends when it opens. `fails`: the request, which the test ends. */
function Dialog({ request, says }: { request: Promise<unknown>; says: boolean }) {
  const { mutate } = useMutation({ mutationFn: () => request, ...(says && { meta: { failure: failed } }) });
  const send = useEffectEvent(() => mutate());
  useEffect(() => send(), []);
  return null;
}

const shownWith = (dialog: ReactNode) => (
  <>
    <OutcomeToasts />
    {dialog}
  </>
);

test.each([
  { is: 'closed', error: new OfflineError(), says: true, shown: failed() },
  { is: 'closed', error: new OfflineError(), says: false, shown: 'A change that was still being sent has failed' },
  ...[true, false].map((says) => ({
    is: 'closed',
    error: new OfflineError('lost', { isUnknown: true }),
    says,
    shown: 'A change may not have been made',
  })),
  { is: 'closed', error: new DOMException('cancelled', 'AbortError'), says: true, shown: '' },
  { is: 'open', error: new OfflineError(), says: true, shown: '' },
])('a request of a dialog that is $is fails with $error.name: "$shown"', async ({ is, error, says, shown }) => {
  const { promise, reject } = Promise.withResolvers<unknown>();
  const page = await mountPart(shownWith(<Dialog request={promise} says={says} />));
  if (is === 'closed') await page.show(shownWith(null));
  await waitFor(() => expect(page.client.isMutating()).toBe(1));
  reject(error);
  await waitFor(() => expect(page.client.isMutating()).toBe(0));
  const reason = errorSentence(error);
  await waitFor(() =>
    expect(page.container.querySelector('.toasts')!.textContent).toBe(shown === '' ? '' : `${shown}${reason}`),
  );
  await page.unmount();
});
