import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeAll, expect, test, vi } from 'vitest';
import type { SwarmItem } from '@swarmdeck/bff/contract';
import { problem } from '../../../data/actions/actions.fixture.ts';
import { queryKeys } from '../../../data/cache/query-keys.ts';
import { loadTexts, t } from '../../../text/text.ts';
import { mountPart } from '../../../ui/mounted.fixture.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';
import { AddDeviceDialogProvider } from './adding-device.ts';
import { AskDialog } from './ask-dialog.tsx';

beforeAll(() => loadTexts('en'));

const swarm = { id: 's', name: 'Harbour', user_id: 'bob', member_count: 1 } as SwarmItem;
const device = { id: 'd', name: 'Buoy', machine_type: 'pc', swarms: [] };
const page = { items: [device], total: 1, next: null, facets: { all: 1, swarms: [] } };

async function open() {
  const client = new QueryClient();
  client.setQueryData(queryKeys.account, { user_id: 'ann' });
  const part = await mountPart(
    <AddDeviceDialogProvider dialog={null}>
      <AskDialog swarm={swarm} onClose={() => undefined} />
    </AddDeviceDialogProvider>,
    client,
  );
  await waitFor(() => expect(part.container.querySelector('.device-choice-row')).not.toBeNull());
  return { ...part, message: part.container.querySelector('textarea')! };
}

test('a message that was not stored is in the next dialog', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit = {}) => {
    if (method === 'GET') return Response.json(page);
    sent.push(path);
    return problem('storage.full', 507);
  });
  const { container, message, press, unmount } = await open();
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(message, 'Our new buoy');
    message.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await act(async () => container.querySelector<HTMLElement>('.device-choice-row input')!.click());
  await press(t.requests.submit(1));
  expect(sent).toEqual(['/api/actions']);
  await unmount();

  const next = await open();
  expect(next.message.value).toBe('Our new buoy');
  await next.unmount();
});
