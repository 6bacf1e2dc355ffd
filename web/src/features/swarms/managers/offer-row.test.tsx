import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { OfferRow } from './offer-row.tsx';

test('while one answer is being sent, the other one cannot be', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const container = document.createElement('div');
  const root = createRoot(container);
  const disabled = async (isAccepting: boolean, isBusy: boolean) => {
    const row = { title: '', text: '', error: null, accept: '', onAccept: async () => {}, onDecline() {} };
    await act(async () => root.render(<OfferRow {...row} isAccepting={isAccepting} isBusy={isBusy} />));
    return [...container.querySelectorAll('button')].map((button) => button.disabled);
  };
  expect(await disabled(false, false)).toEqual([false, false]);
  // Accepting keeps the focus on its button, which ignores clicks.
  expect(await disabled(true, true)).toEqual([false, true]);
  expect(await disabled(false, true)).toEqual([true, true]);
  await act(async () => root.unmount());
});
