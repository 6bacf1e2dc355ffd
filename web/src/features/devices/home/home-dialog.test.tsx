import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { useNavigate } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import { deviceFields, facets } from '../../../bulk/hover.fixture.tsx';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { HomeDialog } from './home-dialog.tsx';
import { HomeState, useHome } from './home-state.ts';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

/** The home page with the list of all devices. */
async function openHome() {
  history.replaceState(null, '', '/?audience=visible');
  const request: { export?: () => void } = {};
  function Page() {
    const navigate = useNavigate();
    request.export = () => void navigate({ search: location.search }, { state: { export: true } });
    const { shown } = useHome('dialogs');
    return (
      <>
        {useHome('list').counts.total}
        {shown && <HomeDialog shown={shown} />}
      </>
    );
  }
  const page = await mountPart(
    <HomeState userId="ann">
      <Page />
    </HomeState>,
    new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  );
  await waitFor(() => expect(page.container.textContent).toBe('5000'));
  return {
    ...page,
    startExport: () => act(async () => request.export!()),
    async unmount() {
      await page.unmount();
      history.replaceState(null, '', '/');
    },
  };
}

const pageOf = (path: string) =>
  Response.json({
    items: [{ ...deviceFields, id: 'a', name: 'Buoy' }],
    next: null,
    total: path.includes('audience=visible') ? 5000 : 20,
    at: '2026-01-02T04:00:00.000Z',
    facets,
  });

test('an export from the list of all devices says how many own devices it has', async () => {
  vi.stubGlobal('fetch', async (path: string) => pageOf(path));
  const { container, startExport, unmount } = await openHome();
  await startExport();
  await waitFor(() => expect(container.querySelector('dialog h2')?.textContent).toBe(t.bulk.actions.export.title(20)));
  await unmount();
});

test('an export for which the own devices could not be read says so, and does not open later by itself', async () => {
  let isLost = false;
  vi.stubGlobal('fetch', async (path: string) => {
    if (isLost) throw new TypeError('no network');
    return pageOf(path);
  });
  const { client, container, startExport, unmount } = await openHome();
  isLost = true;
  await startExport();
  await waitFor(() => expect(container.querySelector('.toasts')?.textContent).toContain(t.devices.error_title));
  isLost = false;
  await act(async () => client.refetchQueries());
  await waitFor(() => expect(container.textContent).toContain('20'));
  expect(container.querySelector('dialog')).toBeNull();
  await unmount();
});
