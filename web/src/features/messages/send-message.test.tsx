import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Resource, Swarm } from '@swarmdeck/bff/contract';
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { t } from '../../text/text.ts';
import { KeysProvider } from '../../ui/keys/keys-provider.tsx';
import { OutcomeToasts } from '../../ui/toasts/outcome-toasts.tsx';
import { ToastProvider } from '../../ui/toasts/toast.tsx';
import { SendMessage } from './send-message.tsx';
import { waitFor } from '../../ui/wait-for.fixture.ts';

const device = { id: 'd', name: 'Buoy' } as Resource;
const swarms = [{ id: 's', name: 'Harbour', resources: [{ resource_id: 'd', resource_type: 'both' }] }] as Swarm[];
const ofDevice = { items: [{ id: 'd', name: 'Buoy' }], total: 1 };

let root: Root;
let container: HTMLElement;
let swarmsNow: Swarm[];
let consumers: (path: string) => Promise<Response>;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = () => undefined;
  HTMLDialogElement.prototype.close = () => undefined;
  Object.assign(HTMLElement.prototype, { showPopover: () => undefined, scrollIntoView: () => undefined });
  vi.stubGlobal('fetch', (path: string) => consumers(path));
  container = document.createElement('div');
  swarmsNow = swarms;
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

async function show(onClose: () => void = () => undefined) {
  root = createRoot(container);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <KeysProvider>
          <ToastProvider>
            <Page onClose={onClose} />
            <OutcomeToasts />
          </ToastProvider>
        </KeysProvider>
      </QueryClientProvider>,
    ),
  );
}
/** The dialog, which its Cancel button closes. */
function Page({ onClose }: { onClose(): void }) {
  const [isOpen, setOpen] = useState(true);
  const close = () => {
    onClose();
    setOpen(false);
  };
  return isOpen && <SendMessage device={device} swarms={swarmsNow} onClose={close} />;
}
async function chooseSwarm() {
  await act(async () => container.querySelector<HTMLElement>('[role=combobox]')!.click());
  const option = [...container.querySelectorAll<HTMLElement>('[role=option]')].find(
    ({ textContent }) => textContent === 'Harbour',
  );
  await act(async () => option!.click());
}
async function type(payload: string) {
  const area = container.querySelector('textarea')!;
  await act(async () => {
    area.setRangeText(payload, 0, area.value.length);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
const says = (text: string) => waitFor(() => expect(container.textContent).toContain(text));

test('the example is only shown, and never sent', async () => {
  const sent = vi.fn<(path: string) => Promise<Response>>(async () => new Response('{}'));
  consumers = sent;
  await show();
  const area = container.querySelector('textarea')!;
  expect([area.value, area.placeholder]).toEqual(['', '{"temperature": 21.5}']);
  await act(async () => container.querySelector('form')!.requestSubmit());
  await says(t.device.form.errors.missing);
  expect(sent).not.toHaveBeenCalled();
});

test('a payload that was not sent is there when the form is opened again', async () => {
  await show();
  await type('{"level": 7}');
  await act(async () => root.unmount());
  await show();
  expect(container.querySelector('textarea')!.value).toBe('{"level": 7}');
});

test('a message that was not sent is for the same recipient when the form is opened again', async () => {
  consumers = async () => new Response(JSON.stringify({ items: [{ id: 'e', name: 'Crane' }], total: 1 }));
  await show();
  await type('{"valve": "open"}');
  await chooseSwarm();
  await says('Crane');
  const to = () => container.querySelector('select')!;
  await act(async () => {
    to().value = 'e';
    to().dispatchEvent(new Event('change', { bubbles: true }));
  });
  await act(async () => root.unmount());
  await show();
  expect(container.querySelector<HTMLInputElement>('[role=combobox]')?.value).toBe('Harbour');
  expect(to().value).toBe('e');
  let body: unknown;
  vi.stubGlobal('fetch', async (_path: string, init: { body: string }) => {
    body = JSON.parse(init.body);
    return new Response(JSON.stringify({ message_id: 'm', sent_at: '', swarms: ['s'] }));
  });
  await act(async () => container.querySelector('form')!.requestSubmit());
  expect(body).toMatchObject({ payload: { valve: 'open' }, swarm_id: 's', to: 'e' });
});

test('a device that sends to no swarm any more is not offered all of them, and keeps the text', async () => {
  const sent = vi.fn<(path: string) => Promise<Response>>(async () => Response.json(ofDevice));
  consumers = sent;
  swarmsNow = [];
  await show();
  await type('{"level": 7}');
  const field = container.querySelector<HTMLInputElement>('[role=combobox]')!;
  expect(field.value).toBe('');
  await act(async () => field.click());
  expect(container.querySelectorAll('[role=option]')).toHaveLength(0);
  await act(async () => container.querySelector('form')!.requestSubmit());
  await says(t.messages.sends_nowhere);
  expect(sent).not.toHaveBeenCalled();
  expect(container.querySelector('textarea')!.value).toBe('{"level": 7}');
});

test('a message for a swarm to which the device no longer sends is for nobody until another one is chosen', async () => {
  const draft = { text: '{"valve": "open"}', swarm_id: 'left', to_id: 'e', to_name: 'Crane' };
  sessionStorage.setItem('draft:message:undefined:d', JSON.stringify(draft));
  const bodies: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, init: { body: string }) => {
    if (!path.endsWith('/messages')) return Response.json(ofDevice);
    bodies.push(JSON.parse(init.body));
    return Response.json({ message_id: 'm', sent_at: '', swarms: ['s'] });
  });
  await show();
  const field = container.querySelector<HTMLInputElement>('[role=combobox]')!;
  expect(field.value).toBe('');
  expect(container.textContent).not.toContain('Crane');
  await act(async () => container.querySelector('form')!.requestSubmit());
  await says(t.messages.swarm_left);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(bodies).toEqual([]);
  await chooseSwarm();
  expect(container.textContent).not.toContain(t.messages.swarm_left);
  await act(async () => container.querySelector('form')!.requestSubmit());
  expect(bodies).toEqual([expect.objectContaining({ payload: { valve: 'open' }, swarm_id: 's' })]);
  expect(bodies[0]).not.toHaveProperty('to');
});

test('numbers are sent with the digits that were typed', async () => {
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: { body: string }) => {
    bodies.push(body);
    return new Response('{"swarms":[]}');
  });
  await show();
  await type('{"id": 1234567890123456789, "level": 21.0}');
  await act(async () => container.querySelector('form')!.requestSubmit());
  expect(bodies[0]).toContain('"payload":{"id":1234567890123456789,"level":21.0}');
});

test.each([
  { when: 'was sent', status: 200, text: t.messages.sent_to_swarms(1) },
  { when: 'was not sent', status: 503, text: t.messages.not_sent },
])('closed while it sends, it still says that the message $when', async ({ status, text }) => {
  const answer = Promise.withResolvers<Response>();
  consumers = (path) => (path.endsWith('/messages') ? answer.promise : Promise.reject(new TypeError('failed')));
  const onClose = vi.fn<() => void>();
  await show(onClose);
  await type('7');
  await act(async () => container.querySelector('form')!.requestSubmit());
  const cancel = () =>
    [...container.querySelectorAll('button')].find(({ textContent }) => textContent === t.shell.kit.close)!;
  await waitFor(() => expect(cancel()).toBeDefined());
  await act(async () => cancel().click());
  expect(container.querySelector('form')).toBeNull();
  await act(async () =>
    answer.resolve(
      new Response(JSON.stringify(status === 200 ? { message_id: 'm', sent_at: '', swarms: ['s'] } : {}), { status }),
    ),
  );
  await says(text);
  expect(onClose).toHaveBeenCalledOnce();
});

test('a retry is the same message, and what is typed after that is another one, also if it is the same', async () => {
  const ids: unknown[] = [];
  vi.stubGlobal('fetch', async (_path: string, init: { body: string }) => {
    ids.push((JSON.parse(init.body) as { message_id: string }).message_id);
    throw new TypeError('the response is lost');
  });
  const send = () => act(async () => container.querySelector('form')!.requestSubmit());
  await show();
  await type('{"open": true}');
  await send();
  expect(container.textContent).toContain(t.problems['service.done_once']);
  await act(async () => root.unmount());
  await show();
  await send();
  await type('');
  await type('{"open": true}');
  await send();
  expect(ids).toEqual([expect.any(String), ids[0], expect.any(String)]);
  expect(ids[2]).not.toBe(ids[0]);
});

test('a swarm has no other consumers only once they were read', async () => {
  const answer = Promise.withResolvers<Response>();
  consumers = () => answer.promise;
  await show();
  await chooseSwarm();
  expect(container.textContent).not.toContain(t.messages.no_consumers);
  await act(async () => answer.resolve(new Response(JSON.stringify(ofDevice))));
  await says(t.messages.no_consumers);
});

test('a failed request for the consumers is said, and so are those that are left out', async () => {
  consumers = async () => {
    throw new TypeError('failed');
  };
  await show();
  await chooseSwarm();
  await says(t.messages.consumers_failed);
  expect(container.textContent).not.toContain(t.messages.no_consumers);
  const items = [...ofDevice.items, { id: 'e', name: 'Crane' }];
  consumers = async () => new Response(JSON.stringify({ items, total: 1200 }));
  const retry = [...container.querySelectorAll('button')].find(({ textContent }) => textContent === t.shell.kit.retry)!;
  await act(async () => retry.click());
  await says(t.messages.first_consumers('2', '1,200'));
});

test('a consumer that is not among the first ones is found by a search, and stays chosen', async () => {
  const crane = { id: 'e', name: 'Crane' };
  consumers = async (path) => {
    const q = new URLSearchParams(path.split('?')[1]).get('q');
    const items = q === null ? [{ id: 'b', name: 'Barge' }] : q === 'cra' ? [crane] : [];
    return new Response(JSON.stringify({ items, total: q === null ? 1200 : items.length }));
  };
  await show();
  await chooseSwarm();
  await says(t.messages.first_consumers('1', '1,200'));
  const search = async (q: string) => {
    const field = container.querySelector<HTMLInputElement>('input[type=search]')!;
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, q);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await act(async () => void field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })));
  };
  await search('cra');
  await says(crane.name);
  const to = container.querySelector('select')!;
  await act(async () => {
    to.value = crane.id;
    to.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await search('nothing');
  await waitFor(() => expect(to.options).toHaveLength(2));
  expect(to.value).toBe(crane.id);
});
