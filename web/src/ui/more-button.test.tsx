import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { UiProvider, type UiEnvironment } from './environment.tsx';
import { MoreButton } from './more-button.tsx';

test('a page that could not be loaded is an error with Retry', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const place = document.createElement('div');
  const root = createRoot(place);
  const fetchNextPage = vi.fn<() => void>();
  const ui = { words: { retry: 'Retry' }, errorSentence: () => 'Something went wrong.' } as unknown as UiEnvironment;
  const show = (error: Error | null, isFetchNextPageError = error !== null) =>
    act(async () =>
      root.render(
        <UiProvider value={ui}>
          <MoreButton
            label="Show more"
            query={{ hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError, error, fetchNextPage }}
          />
        </UiProvider>,
      ),
    );
  await show(null);
  expect(place.textContent).toBe('Show more');
  // the loaded pages could not be fetched again
  await show(new Error('500'), false);
  expect(place.textContent).toBe('Show more');
  await show(new Error('500'));
  expect(place.textContent).toContain('Something went wrong.');
  await act(async () => place.querySelector('button')!.click());
  expect(fetchNextPage).toHaveBeenCalledOnce();
  await act(async () => root.unmount());
});
