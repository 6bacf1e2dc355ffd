import { QueryClient } from '@tanstack/react-query';
import type { Action } from '@swarmdeck/bff/contract';
import { act } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test } from 'vitest';
import { failedItems } from '../../data/actions/actions.ts';
import { resultSentence } from '../../shared/actions/action-labels.tsx';
import { loadTexts, t } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { ActionLine, isInLog, markedActions, Outcome } from './action-list.tsx';

const ended = { kind: 'answer', total: 1, done: 1, failed: 0, can_undo: false } as Action;

test.each<[string, Partial<Action>, boolean]>([
  ['an accepted invitation', {}, true],
  ['an edit, which the log does not have', { kind: 'edit' }, false],
  ['a deletion that can be undone', { kind: 'delete', can_undo: true }, false],
  ['what has failed', { failed: 1 }, false],
  ['what was stopped', { done: 0 }, false],
])('the list of own changes leaves out only what the log says too: %s', (_, change, isLeftOut) => {
  expect(isInLog({ ...ended, ...change } as Action)).toBe(isLeftOut);
});

test.each<[string, Partial<Action>[], boolean]>([
  ['an undo', [{ failed: 0 }], true],
  ['an undo of some of its items', [{ total: 2, failed: 1 }], true],
  ['no undo that is known', [], true],
  ['an undo that has failed', [{ failed: 1 }], false],
  ['an undo that has failed and was tried again', [{ failed: 0 }, { failed: 1 }], true],
])('an action is marked as undone by %s: %#', (_, undos, isUndone) => {
  const edit = { ...ended, id: 'a', kind: 'edit', undone_by: 'u0' } as Action;
  const others = undos.map((each, index) => ({
    ...ended,
    id: `u${index}`,
    kind: 'undo',
    about: { action: 'a', kind: 'edit', of: {} },
    undone_by: null,
    ...each,
  }));
  expect(markedActions([...(others as Action[]), edit]).at(-1)!.undone_by !== null).toBe(isUndone);
});

const outcome = (change: Partial<Action>) =>
  renderToStaticMarkup(<Outcome action={{ ...ended, ...change } as Action} />).replaceAll(/<[^>]+>/g, '');

afterEach(() => loadTexts('en'));

test('an action of which everything has failed says so', async () => {
  const answer: Partial<Action> = { kind: 'answer', about: { answer: 'accept' } };
  const undo = { kind: 'undo', about: { action: 'a', kind: 'delete', of: {} } } as Partial<Action>;
  const failed = { failed: 1, changed: 0 };
  expect(outcome({ ...answer, changed: 1 })).toBe('Accepted 1 invitation');
  expect(outcome({ ...answer, total: 2, done: 2, failed: 1, changed: 1 })).toBe('Accepted 1 invitation');
  expect(outcome({ ...answer, ...failed })).toBe('The invitation could not be accepted');
  expect(outcome({ ...undo, ...failed })).toBe('Could not be undone: “Deleted 1 device”');
  await loadTexts('de');
  expect(outcome({ ...answer, ...failed })).toBe('Die Einladung konnte nicht angenommen werden');
  expect(outcome({ ...undo, ...failed })).toBe('Konnte nicht rückgängig gemacht werden: „1 Gerät gelöscht“');
});

test('an undo that has put back some fields names those, and those that were changed since', async () => {
  const about = { action: 'a', kind: 'edit', of: { description: 'A', position: null } };
  const kept = { pointer: '/description', code: 'changed_since' };
  const partly = { code: 'action.partly_undone', errors: [{ pointer: '/position', code: 'put_back' }, kept] };
  const none = { code: 'action.changed_since', errors: [kept] };
  const undone = (result: object) => outcome({ kind: 'undo', about, failed: 1, results: [result] } as Partial<Action>);
  expect(undone(partly)).toBe('Not fully undone: “Changed description and position”');
  expect(undone(none)).toBe('Could not be undone: “Changed description and position”');
  expect(resultSentence('undo', partly)).toBe('Put back: position. Changed since then, so not put back: description.');
  expect(resultSentence('undo', none)).toBe('Changed since then, so not put back: description.');
  expect(resultSentence('undo', { code: 'action.changed_since' })).toBe(t.problems['action.changed_since']);
  const many = { ...about, kind: 'update' };
  const large = { kind: 'undo', about: many, failed: 1 } as Partial<Action>;
  expect(outcome(large)).toBe('Not fully undone: “Changed the description of 1 device”');
});

test('what an undo has left alone, because it had changed since, has not failed', async () => {
  const about = { action: 'a', kind: 'import', of: { file: 'buoys.csv', hash: 'h' } };
  const undo = {
    kind: 'undo',
    about,
    total: 12,
    done: 12,
    failed: 9,
    changed: 3,
    undone_by: null,
    created_at: '2026-01-02T03:04:05Z',
  };
  const lineOf = async (kept?: number) => {
    const action = { ...ended, ...undo, results: [{ code: 'action.changed_since' }], ...(kept && { kept }) };
    const { container, unmount } = await mountPart(<ActionLine action={action as unknown as Action} />);
    const line = {
      words: container.querySelector('.activity-words')!.textContent,
      bad: container.querySelector('.bad'),
    };
    await unmount();
    return line;
  };
  const { words, bad } = await lineOf(9);
  expect(words).toContain('9 kept, because they were changed or used since then');
  expect(bad).toBeNull();
  // One of them has failed.
  expect((await lineOf(8)).bad?.textContent).toContain('9 failed');
});

test.each([undefined, 'again'])('failed items can be tried again once: %s', async (retried_by) => {
  const client = new QueryClient();
  const results = [{ item: { id: 'd', name: 'Buoy' }, result: { code: 'storage.away' } }];
  client.setQueryData(failedItems('a').queryKey, results);
  const change = { id: 'a', kind: 'update', about: { machine_type: 'pc' }, total: 501, done: 501, failed: 1 };
  const action = {
    ...ended,
    ...change,
    undone_by: null,
    created_at: '2026-01-02T03:04:05Z',
    ...(retried_by && { retried_by }),
  };
  const { container, unmount } = await mountPart(<ActionLine action={action as Action} />, client);
  const say = t.activity.actions;
  expect(container.textContent.includes(say.retried)).toBe(retried_by !== undefined);
  const details = container.querySelector('details')!;
  details.open = true;
  await act(async () => details.dispatchEvent(new Event('toggle')));
  const buttons = [...container.querySelectorAll('button')].map(({ textContent }) => textContent);
  expect(buttons.includes(say.retry)).toBe(retried_by === undefined);
  await unmount();
});

test.each([
  { change: {}, canRetry: true },
  { change: { retried_by: 'again' }, canRetry: false },
  { change: { failed: 0, changed: 1 }, canRetry: false },
  { change: { results: [{ code: 'resource.not_found' }] }, canRetry: true },
  // Nothing is left that it could put back.
  { change: { results: [{ code: 'action.partly_undone' }] }, canRetry: false },
])('an undo that could not be done can be tried again: $change', async ({ change, canRetry }) => {
  const about = { action: 'a', kind: 'import', of: { file: 'buoys.csv', hash: 'h' } };
  const undo = {
    ...ended,
    id: 'u',
    kind: 'undo',
    about,
    failed: 1,
    changed: 0,
    undone_by: null,
    created_at: '2026-01-02T03:04:05Z',
  };
  const action = { ...undo, ...change } as Action;
  const { container, unmount } = await mountPart(<ActionLine action={action} />, new QueryClient());
  const buttons = [...container.querySelectorAll('button')].map(({ textContent }) => textContent);
  expect(buttons.includes(t.shell.kit.retry)).toBe(canRetry);
  await unmount();
});
