import { act } from 'react';
import { useNavigate } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import { deviceFields, facets } from '../../../bulk/hover.fixture.tsx';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { HomeDialog } from './home-dialog.tsx';
import { HomeState } from './home-state.tsx';
import { useHomeDialogs } from './use-home-dialogs.ts';
import { useHomeList } from './use-home-list.ts';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

beforeAll(() => loadTexts('en'));

test('an export from the list of all devices says how many own devices it has', async () => {
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json({
      items: [{ ...deviceFields, id: 'a', name: 'Buoy' }],
      next: null,
      total: path.includes('audience=visible') ? 5000 : 20,
      at: '2026-01-02T04:00:00.000Z',
      facets,
    }),
  );
  history.replaceState(null, '', '/?audience=visible');
  const request: { export?: () => void } = {};
  function Page() {
    const navigate = useNavigate();
    request.export = () => void navigate({ search: location.search }, { state: { export: true } });
    const { shown } = useHomeDialogs();
    return (
      <>
        {useHomeList().counts.total}
        {shown && <HomeDialog shown={shown} />}
      </>
    );
  }
  const { container, unmount } = await mountPart(
    <HomeState userId="ann">
      <Page />
    </HomeState>,
  );
  await waitFor(() => expect(container.textContent).toBe('5000'));
  await act(async () => request.export!());
  await waitFor(() => expect(container.querySelector('dialog h2')?.textContent).toBe(t.bulk.actions.export.title(20)));
  await unmount();
  history.replaceState(null, '', '/');
});
