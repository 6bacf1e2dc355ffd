import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { useInviteMessage } from './use-invite-message.ts';

const render = vi.fn<(message: ReturnType<typeof useInviteMessage>) => void>();
const message = () => render.mock.lastCall![0][0];
const write = (text: string) => act(async () => render.mock.lastCall![0][1](text));

function Form({ swarm_id }: { swarm_id: string | undefined }) {
  render(useInviteMessage('ann', swarm_id));
  return null;
}

test('what was written before the swarm was known is for the first one, and for no other', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const root = createRoot(document.createElement('div'));
  const show = (swarm_id?: string) => act(async () => root.render(<Form swarm_id={swarm_id} />));
  await show();
  await write('To the harbour');
  expect(message()).toBe('To the harbour');
  await show('harbour');
  expect(message()).toBe('To the harbour');
  await show('river');
  expect(message()).toBe('');
  await write('To the river');
  await show('harbour');
  expect(message()).toBe('To the harbour');
  await write('');
  await show();
  expect(message()).toBe('');
  await show('river');
  expect(message()).toBe('To the river');
  await act(async () => root.unmount());
});
