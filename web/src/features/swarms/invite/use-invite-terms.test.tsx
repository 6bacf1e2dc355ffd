import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { noTerms, termsAgain, useInviteTerms } from './use-invite-terms.ts';

const render = vi.fn<(terms: ReturnType<typeof useInviteTerms>) => void>();
const terms = () => render.mock.lastCall![0][0];
const change = (changed: Partial<typeof noTerms>) => act(async () => render.mock.lastCall![0][1](changed));

function Form({ swarm_id }: { swarm_id: string | undefined }) {
  render(useInviteTerms('ann', swarm_id));
  return null;
}

function open() {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const root = createRoot(document.createElement('div'));
  return {
    show: (swarm_id?: string) => act(async () => root.render(<Form swarm_id={swarm_id} />)),
    close: () => act(async () => root.unmount()),
  };
}

afterEach(() => sessionStorage.clear());

test('what was written before the swarm was known is for the first one, and for no other', async () => {
  const { show, close } = open();
  await show();
  await change({ message: 'To the harbour', choice: 'week' });
  expect(terms()).toEqual({ ...noTerms, message: 'To the harbour', choice: 'week' });
  await show('harbour');
  expect(terms()).toEqual({ ...noTerms, message: 'To the harbour', choice: 'week' });
  await show('river');
  expect(terms()).toEqual(noTerms);
  await change({ message: 'To the river' });
  await show('harbour');
  expect(terms().message).toBe('To the harbour');
  await change(noTerms);
  await show();
  expect(terms()).toEqual(noTerms);
  await show('river');
  expect(terms().message).toBe('To the river');
  await close();
});

test('what was written before the swarm was known is newer than what the swarm has', async () => {
  const { show, close } = open();
  await show('harbour');
  await change({ message: 'Older', choice: 'day' });
  await show();
  await change({ message: 'Newer' });
  await show('harbour');
  expect(terms()).toEqual({ ...noTerms, message: 'Newer', choice: 'day' });
  await close();
});

test('the chosen role and end survive a reload, as the message does', async () => {
  const before = open();
  await before.show('harbour');
  await change({ role: 'both', choice: 'date', date: '2026-12-24' });
  await before.close();
  const after = open();
  await after.show('harbour');
  expect(terms()).toEqual({ message: '', role: 'both', choice: 'date', date: '2026-12-24' });
  await after.close();
});

test('lines that are sent again have the terms of before, unless the user has chosen others', () => {
  const now = Date.parse('2026-12-20T12:00:00Z');
  const about = { description: 'Hello', ends_at: '2026-12-24T22:59:59.999Z' };
  const sent = { choice: 'hour', date: '' } as const;
  expect(termsAgain({ terms: noTerms, sent, about, now })).toEqual({ ...noTerms, message: 'Hello', choice: 'hour' });
  const chosen = { ...noTerms, message: 'Other', choice: 'week' } as const;
  expect(termsAgain({ terms: chosen, sent, about, now })).toEqual(chosen);
  expect(termsAgain({ terms: noTerms, sent: noTerms, about: {}, now })).toEqual(noTerms);
});

test('what had an end never becomes endless, and never ends later', () => {
  const now = new Date('2026-12-20T12:00:00').getTime();
  const again = (ends_at: string) =>
    termsAgain({ terms: noTerms, sent: noTerms, about: { ends_at: new Date(ends_at).toISOString() }, now });
  expect(again('2026-12-24T12:00:00')).toEqual({ ...noTerms, choice: 'date', date: '2026-12-23' });
  // Its end is over: the user chooses another one.
  expect(again('2026-12-20T11:00:00')).toEqual({ ...noTerms, choice: 'date', date: '' });
});
