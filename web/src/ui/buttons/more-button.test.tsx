import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { MoreButton } from './more-button.tsx';

test('a page that could not be loaded is an error with Retry', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const place = document.createElement('div');
  const root = createRoot(place);
  const fetchNextPage = vi.fn<() => void>();
  const show = (error: Error | null, isFetchNextPageError = error !== null) =>
    act(async () =>
      root.render(
        <MoreButton
          label="Show more"
          end="Search for others"
          query={{
            data: { pages: [] },
            hasNextPage: true,
            isFetchingNextPage: false,
            isFetchNextPageError,
            error,
            fetchNextPage,
          }}
        />,
      ),
    );
  await show(null);
  expect(place.textContent).toBe('Show more');
  // The loaded pages could not be fetched again.
  await show(new Error('500'), false);
  expect(place.textContent).toBe('Show more');
  await show(new Error('500'));
  expect(place.textContent).toContain('Something went wrong.');
  await act(async () => place.querySelector('button')!.click());
  expect(fetchNextPage).toHaveBeenCalledOnce();
  await act(async () => root.unmount());
});

test('a list ends after twenty pages with rows, and says how the rest is found', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const place = document.createElement('div');
  const root = createRoot(place);
  const query = {
    hasNextPage: true,
    isFetchingNextPage: false,
    isFetchNextPageError: false,
    error: null,
    fetchNextPage: () => {},
  };
  for (const [count, empty, text] of [
    [19, 0, 'Show more'],
    [19, 20, 'Show more'],
    [20, 20, 'Search for others'],
  ] as const) {
    const full = Array.from({ length: count }, () => ({ items: ['row'] }));
    const data = { pages: [...Array.from({ length: empty }, () => ({ items: [] })), ...full] };
    await act(async () =>
      root.render(<MoreButton label="Show more" end="Search for others" query={{ ...query, data }} />),
    );
    expect(place.textContent).toBe(text);
  }
  await act(async () => root.unmount());
});
