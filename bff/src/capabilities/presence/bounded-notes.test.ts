import { expect, test } from 'vitest';
import { refusalLimits } from '../../core/limits/part-limits.ts';
import { createBoundedNotes } from './bounded-notes.ts';

const { writtenEachMs } = refusalLimits;
const dueOf = (notes: ReturnType<typeof createBoundedNotes<string>>, at: number) =>
  notes.takeDue(at).map(({ id, times, note }) => `${id} ${times} ${note}`);

test('the first note of a device is due at once, and the next ones together a minute later', () => {
  const notes = createBoundedNotes<string>({ most: 10, ofOwner: 10 });
  expect(notes.add('a', { owner: 'o', note: 'first' })).toBe(true);
  expect(dueOf(notes, 0)).toEqual(['a 1 first']);
  for (const note of ['second', 'third']) expect(notes.add('a', { owner: 'o', note })).toBe(false);
  expect(dueOf(notes, writtenEachMs - 1)).toEqual([]);
  expect(dueOf(notes, writtenEachMs)).toEqual(['a 2 third']);
  expect(notes.size).toBe(1);
  expect(dueOf(notes, 2 * writtenEachMs)).toEqual([]);
  expect(notes.size).toBe(0);
});

test('what could not be written is due again, with what came meanwhile', () => {
  const notes = createBoundedNotes<string>({ most: 10, ofOwner: 10 });
  notes.add('a', { owner: 'o', note: 'first' });
  const due = notes.takeDue(0);
  notes.add('a', { owner: 'o', note: 'second' });
  notes.putBack(due);
  expect(dueOf(notes, 1)).toEqual(['a 2 second']);
});

test('an owner has so many devices, and all have so many: the oldest makes room', () => {
  const notes = createBoundedNotes<string>({ most: 3, ofOwner: 2 });
  for (const id of ['a', 'b', 'c']) notes.add(id, { owner: 'one', note: '' });
  expect(notes.unwritten('c')).toBe(undefined);
  for (const id of ['d', 'e']) notes.add(id, { owner: 'two', note: '' });
  expect(['a', 'b', 'd', 'e'].map((id) => notes.unwritten(id))).toEqual([undefined, '', '', '']);
  notes.add('c', { owner: 'one', note: '' });
  expect([notes.size, notes.unwritten('c'), notes.unwritten('b')]).toEqual([3, '', undefined]);
});

test('a note that was dropped is not written, and the next one is when a minute has passed', () => {
  const notes = createBoundedNotes<string>({ most: 10, ofOwner: 10 });
  notes.add('a', { owner: 'o', note: 'first' });
  notes.takeDue(0);
  notes.add('a', { owner: 'o', note: 'second' });
  notes.drop('a');
  notes.add('a', { owner: 'o', note: 'third' });
  expect(dueOf(notes, writtenEachMs)).toEqual(['a 1 third']);
});
