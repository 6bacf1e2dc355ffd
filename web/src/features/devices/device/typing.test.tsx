import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Resource } from '@swarmdeck/bff/contract';
import { act, createElement, Profiler, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { KeysProvider } from '../../../ui/keys/keys-provider.tsx';
import { HistoryRouter } from '../../../ui/urls/router.tsx';
import { NowProvider } from '../../../ui/texts/time.tsx';
import { ToastProvider } from '../../../ui/toasts/toast.tsx';
import { deviceRecordQuery, deviceSwarmsQuery } from '../device.api.ts';
import { useOwnDevice } from './device-parts.ts';
import { DevicePage } from './device-page.tsx';
import { waitFor } from '../../../ui/wait-for.fixture.ts';

const device: Resource = {
  id: 'a',
  user_id: 'ann',
  name: 'Gate',
  machine_type: 'pc',
  description: '',
  created_at: '2026-01-02T03:00:00.000Z',
};

/** The parts that have rendered. */
const rendered: string[] = [];
const profiled = (id: string, child: ReactNode) => (
  <Profiler key={id} id={id} onRender={() => void rendered.push(id)}>
    {child}
  </Profiler>
);
// Another test of this worker may have loaded the parts as they are.
await vi.hoisted(async () => {
  vi.resetModules();
  const { loadTexts } = await import('../../../text/text.ts');
  await loadTexts('en');
});
vi.mock(import('./swarms-box.tsx'), async (original) => {
  const { SwarmsBox } = await original();
  return { SwarmsBox: (props) => profiled('swarms', createElement(SwarmsBox, props)) };
});
vi.mock(import('./device-notes.tsx'), async (original) => {
  const { DeviceNotes } = await original();
  return { DeviceNotes: () => profiled('notes', createElement(DeviceNotes)) };
});
vi.mock(import('./delete-records-dialog.tsx'), async (original) => {
  const { DeleteRecordsDialog } = await original();
  return { DeleteRecordsDialog: () => profiled('question', createElement(DeleteRecordsDialog)) };
});
// Its code loads after the page has rendered.
vi.mock(import('./hand-over.tsx'), async (original) => {
  const { HandoverNote, ...rest } = await original();
  return { ...rest, HandoverNote: (props) => profiled('handover', createElement(HandoverNote, props)) };
});
vi.mock(import('../form/device-form.tsx'), async (original) => {
  const { DeviceFields, ...rest } = await original();
  return { ...rest, DeviceFields: (props) => [profiled('form', createElement(DeviceFields, props))] };
});
function Messages() {
  return <p>of {useOwnDevice().name}</p>;
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  // Nothing is answered: the page shows what is in the cache.
  vi.stubGlobal('fetch', () => new Promise(() => {}));
});

test('a key in the form renders the form, and not what is around it', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  client.setQueryData(deviceRecordQuery('a').queryKey, { resource: device, etag: '"1"', at: device.created_at });
  client.setQueryData(deviceSwarmsQuery('a').queryKey, []);
  history.replaceState(null, '', '/devices/a');
  const none = { map: null, invite: null, invitations: null, activity: null, guests: null };
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  // Also after a failure: a page with unsaved input stops the navigation of the next tests of this worker.
  onTestFinished(() => act(async () => root.unmount()));
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <HistoryRouter>
          <ToastProvider>
            <KeysProvider>
              <NowProvider>
                <DevicePage id="a" user_id="ann" {...none} messages={profiled('messages', <Messages />)} />
              </NowProvider>
            </KeysProvider>
          </ToastProvider>
        </HistoryRouter>
      </QueryClientProvider>,
    ),
  );
  const parts = ['notes', 'form', 'question', 'swarms', 'messages', 'handover'];
  await waitFor(() => expect(new Set(rendered)).toEqual(new Set(parts)));
  rendered.length = 0;
  const name = container.querySelector<HTMLInputElement>('[name="name"]')!;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(name, 'Gate 2');
    name.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  expect(name.value).toBe('Gate 2');
  expect(new Set(rendered)).toEqual(new Set(['form']));
});
