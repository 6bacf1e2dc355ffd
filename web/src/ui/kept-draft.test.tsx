import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { forgetDrafts, useKeptDraft } from './kept-draft.ts';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
beforeEach(() => sessionStorage.clear());

const empty = { name: '', public: false };

/** A form that is opened; `current()` is what stands in it. */
function open(name: string) {
  let held: ReturnType<typeof useKeptDraft<typeof empty>> | undefined;
  function Form() {
    held = useKeptDraft(name, empty);
    return null;
  }
  const root = createRoot(document.createElement('div'));
  act(() => root.render(<Form />));
  return {
    current: () => held?.[0],
    change: (to: Partial<typeof empty>) => act(() => held?.[1](to)),
    close: () => act(() => root.unmount()),
  };
}

test('what was typed is there when the form is opened again, and nobody else’s', () => {
  const form = open('swarm:ann');
  form.change({ name: 'Harbour' });
  form.change({ public: true });
  form.close();
  expect(open('swarm:ann').current()).toEqual({ name: 'Harbour', public: true });
  expect(open('swarm:ben').current()).toEqual(empty);
});

test('what is as empty again leaves nothing behind, also when its page goes at once', () => {
  const form = open('swarm:ann');
  form.change({ name: 'Harbour' });
  form.change({ name: '' });
  form.close();
  expect(sessionStorage).toHaveLength(0);
  expect(open('swarm:ann').current()).toEqual(empty);
});

test('who signs out leaves no draft behind', () => {
  sessionStorage.setItem('other', 'stays');
  open('swarm:ann').change({ name: 'Harbour' });
  forgetDrafts();
  expect(open('swarm:ann').current()).toEqual(empty);
  expect(sessionStorage.getItem('other')).toBe('stays');
});

test('of what an older app has kept only what fits is taken', () => {
  sessionStorage.setItem('draft:swarm:ann', '{"name":7,"public":true}');
  expect(open('swarm:ann').current()).toEqual({ name: '', public: true });
  sessionStorage.setItem('draft:swarm:ann', '{"na');
  expect(open('swarm:ann').current()).toEqual(empty);
});

test('a browser that keeps nothing keeps it for as long as the page', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const form = open('swarm:cleo');
  form.change({ name: 'Harbour' });
  form.close();
  expect(open('swarm:cleo').current()).toEqual({ name: 'Harbour', public: false });
  vi.restoreAllMocks();
});
