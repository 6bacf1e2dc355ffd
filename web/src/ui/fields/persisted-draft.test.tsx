import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetPage } from '../../data/new-page.ts';
import { usePersistedDraft } from './persisted-draft.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
beforeEach(() => sessionStorage.clear());

const empty = { name: '', public: false };

/** Opens a form; `current()` returns its values. */
function open(name: string) {
  let draft: ReturnType<typeof usePersistedDraft<typeof empty>> | undefined;
  function Form() {
    draft = usePersistedDraft(name, empty);
    return null;
  }
  const root = createRoot(document.createElement('div'));
  act(() => root.render(<Form />));
  return {
    current: () => draft?.[0],
    change: (to: Partial<typeof empty>) => act(() => draft?.[1](to)),
    noteSent: (sent: typeof empty) => act(() => draft?.[2](sent)),
    noteStored: (sent: typeof empty) => act(() => draft?.[3](sent)),
    close: () => act(() => root.unmount()),
  };
}

test('a draft is restored when its form is opened again, and only for its key', () => {
  const form = open('swarm:ann');
  form.change({ name: 'Harbour' });
  form.change({ public: true });
  form.close();
  expect(open('swarm:ann').current()).toEqual({ name: 'Harbour', public: true });
  expect(open('swarm:ben').current()).toEqual(empty);
});

test('a form that moves to another thing has the draft of that one', () => {
  let name = 'swarm:ann';
  let draft: ReturnType<typeof usePersistedDraft<typeof empty>> | undefined;
  const Form = () => ((draft = usePersistedDraft(name, empty)), null);
  const root = createRoot(document.createElement('div'));
  const show = () => act(() => root.render(<Form />));
  show();
  act(() => draft![1]({ name: 'Harbour' }));
  name = 'swarm:ben';
  show();
  expect(draft![0]).toEqual(empty);
  act(() => draft![1]({ public: true }));
  name = 'swarm:ann';
  show();
  expect(draft![0]).toEqual({ name: 'Harbour', public: false });
});

test('an empty draft is deleted, also if its page is closed immediately', () => {
  const form = open('swarm:ann');
  form.change({ name: 'Harbour' });
  form.change({ name: '' });
  form.close();
  expect(sessionStorage).toHaveLength(0);
  expect(open('swarm:ann').current()).toEqual(empty);
});

test('a stored draft of an older version restores only the valid fields', () => {
  sessionStorage.setItem('draft:swarm:ann', '{"name":7,"public":true}');
  expect(open('swarm:ann').current()).toEqual({ name: '', public: true });
  sessionStorage.setItem('draft:swarm:ann', '{"na');
  expect(open('swarm:ann').current()).toEqual(empty);
});

test('a draft that something else keeps while it is sent goes with its page, unless it is changed', () => {
  const form = open('swarm:ann');
  const sent = { name: 'Harbour', public: false };
  form.change(sent);
  form.noteStored({ ...sent, public: true });
  expect(sessionStorage).toHaveLength(1);
  form.noteStored(sent);
  expect([form.current(), open('swarm:ann').current(), sessionStorage.length]).toEqual([sent, sent, 0]);
  form.change({});
  expect(sessionStorage).toHaveLength(1);
  form.noteStored(sent);
  forgetPage();
  expect(open('swarm:ann').current()).toEqual(empty);
});

test('a draft stays in memory if the browser cannot store it', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const form = open('swarm:cleo');
  form.change({ name: 'Harbour' });
  form.close();
  expect(open('swarm:cleo').current()).toEqual({ name: 'Harbour', public: false });
  vi.restoreAllMocks();
});

test.each([
  { is: 'the same', name: 'Harbour', left: '' },
  { is: 'another', name: 'Pier', left: 'Pier' },
])('a form that was opened again while its draft was sent shows "$left" if its draft is $is', ({ name, left }) => {
  const first = open('swarm:dan');
  first.change({ name: 'Harbour' });
  const sent = first.current()!;
  first.close();
  const again = open('swarm:dan');
  again.change({ name });
  first.noteSent(sent);
  expect(again.current()!.name).toBe(left);
  expect(open('swarm:dan').current()!.name).toBe(left);
});
