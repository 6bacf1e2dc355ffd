import { expect, test } from 'vitest';
import { withChanges, withNewest, withoutItems } from '../../api/invitation-lists.ts';
import { mergeHead } from './invitation-pages.ts';
import { itemOf, pageOf } from '../../api/invitation.fixture.ts';

const ids = (pages: { items: { id: string }[] }[]) => pages.flatMap(({ items }) => items.map(({ id }) => id));
const none = () => false;
const range = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => itemOf(`i${from - at}`, from - at));

test('what is new stands on top, and what lies beyond the newest page stays', () => {
  const pages = [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))];
  const merged = mergeHead({ pages, head: pageOf(range(8, 6), 'y'), kept: none });
  expect(ids(merged)).toEqual(['i8', 'i7', 'i6', 'i5', 'i4', 'i3', 'i2', 'i1']);
  expect(merged.map(({ next }) => next)).toEqual(['x', null]);
});

test('what the newest page would show and does not is gone', () => {
  const head = pageOf([itemOf('i6', 6), itemOf('i3', 3)], 'y');
  expect(ids(mergeHead({ pages: [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))], head, kept: none }))).toEqual([
    'i6',
    'i3',
    'i2',
    'i1',
  ]);
});

test('a newest page that is all there is leaves nothing else', () => {
  const pages = [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))];
  expect(ids(mergeHead({ pages, head: pageOf(range(6, 5)), kept: none }))).toEqual(['i6', 'i5']);
});

test('a row that says why it was refused keeps its place although it is gone', () => {
  const head = pageOf([itemOf('i6', 6), itemOf('i4', 4)]);
  const merged = mergeHead({ pages: [pageOf(range(6, 4))], head, kept: (id) => id === 'i5' });
  expect(ids(merged)).toEqual(['i6', 'i5', 'i4']);
});

test('what was sent again moves to the top and is there once', () => {
  const head = pageOf([itemOf('i2', 9), itemOf('i6', 6)], 'y');
  const merged = mergeHead({ pages: [pageOf(range(6, 4), 'x'), pageOf(range(3, 1))], head, kept: none });
  expect(ids(merged)).toEqual(['i2', 'i6', 'i5', 'i4', 'i3', 'i1']);
});

test('a list that was short and is long now goes on where its newest page ends', () => {
  const merged = mergeHead({ pages: [pageOf(range(2, 1))], head: pageOf(range(9, 5), 'y'), kept: none });
  expect(merged[0]?.next).toBe('y');
});

test('pages are the same objects where nothing in them changes', () => {
  const page = pageOf(range(3, 1));
  expect(withoutItems(page, none)).toBe(page);
  expect(withChanges(page, (item) => item)).toBe(page);
  expect(ids([withNewest(page, [itemOf('i9', 9)])])).toEqual(['i9', 'i3', 'i2', 'i1']);
});
