import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { deviceMerge, type DeviceField, type DeviceValues } from '../forms/device-fields.ts';
import { afterEdits, editsOf, withEdit, withFailed, withSaved } from './device-edits.ts';
import type { DeviceChange, EditEntry, OutboxChanges, OutboxEntry } from './outbox-entry.ts';

const values: DeviceValues = {
  name: 'Buoy 7',
  machine_type: 'bug',
  description: '',
  position: undefined,
  expected_every: undefined,
  keep_track: undefined,
  keep_values: undefined,
};

/** The entries of the outbox, oldest first. */
let entries: readonly OutboxEntry[];
let count: number;
beforeEach(() => {
  entries = [];
  count = 0;
});

function apply({ put, remove }: OutboxChanges) {
  const isOld = ({ id }: OutboxEntry) => !remove.includes(id) && !put.some((entry) => entry.id === id);
  entries = [...entries.filter(isOld), ...put].toSorted((one, other) => one.at - other.at);
}
const change = (from: Partial<DeviceValues>, to: Partial<DeviceValues>, etag = '"1"') => ({
  base: { ...values, ...from },
  mine: { ...values, ...to },
  etag,
});
const entryOf = (made: DeviceChange): EditEntry => {
  count += 1;
  const task = { type: 'edit' as const, device: { id: 'a', name: 'Buoy 7' }, change: made };
  return { id: String(count), user_id: 'ann', at: count, task };
};
/** The form showed `from`, and the user has saved `to`. */
const add = (from: Partial<DeviceValues>, to: Partial<DeviceValues>) =>
  apply(withEdit(entries, entryOf(change(from, to))));
const setState = (id: string, state: Pick<OutboxEntry, 'failure' | 'isSending'>) => {
  entries = entries.map((entry) => (entry.id === id ? { ...entry, isSending: false, ...state } : entry));
};
function fail(id: string) {
  setState(id, { failure: 'conflict' });
  apply(withFailed(entries, id));
}
const firstId = () => entries[0]!.id;

const edits = () =>
  editsOf(entries, 'a').map(({ task, failure }) => {
    const { base, mine, etag } = task.change;
    return { before: base.description, mine: deviceMerge.mineOf({ base, mine }), etag, failure };
  });

test('edits of one device wait as one, and none is left of an edit that was taken back', () => {
  add({}, { name: 'North' });
  add({ name: 'North' }, { name: 'North', description: 'new' });
  expect(edits()).toEqual([{ before: '', mine: { name: 'North', description: 'new' }, etag: '"1"' }]);
  add({ name: 'North', description: 'new' }, {});
  expect(entries).toEqual([]);
});

test('an edit that changes nothing does not wait', () => {
  add({}, {});
  expect(entries).toEqual([]);
});

test('an edit from a tab that has not read the earlier one changes only its own fields', () => {
  add({}, { name: 'North' });
  add({}, { description: 'new' });
  expect(edits()).toEqual([{ before: '', mine: { name: 'North', description: 'new' }, etag: '"1"' }]);
});

test('a position that waits is of the time when it was saved, whatever is edited before or after it', () => {
  const at = (time: number, from: Partial<DeviceValues>, to: Partial<DeviceValues>) =>
    apply(withEdit(entries, entryOf({ ...change(from, to), placement: { at: time } })));
  const placement = () => editsOf(entries, 'a').map(({ task }) => task.change.placement);
  const position = { longitude: 10, latitude: 54 };
  at(1, {}, { name: 'North' });
  at(2, { name: 'North' }, { name: 'North', position });
  expect(placement()).toEqual([{ at: 2 }]);
  at(3, { name: 'North', position }, { name: 'South', position });
  expect(placement()).toEqual([{ at: 2 }]);
});

test('an edit does not join one that is being sent or has failed, nor one of another device', () => {
  add({}, { name: 'North' });
  setState(firstId(), { isSending: true });
  add({ name: 'North' }, { name: 'South' });
  expect(edits().map(({ mine }) => mine)).toEqual([{ name: 'North' }, { name: 'South' }]);
  const other = entryOf(change({}, { name: 'East' }));
  apply(withEdit(entries, { ...other, task: { ...other.task, device: { id: 'b', name: 'Buoy 8' } } }));
  expect(entries).toHaveLength(3);
});

test('an edit takes its fields from one that has failed, with the value that the server had before both', () => {
  add({}, { name: 'North', description: 'half' });
  fail(firstId());
  add({ name: 'North', description: 'half' }, { name: 'North', description: 'half and more' });
  expect(edits()).toEqual([
    { before: '', mine: { name: 'North' }, etag: '"1"', failure: 'conflict' },
    { before: '', mine: { description: 'half and more' }, etag: '"1"' },
  ]);
  add({ name: 'North' }, { name: 'South' });
  expect(edits()).toEqual([{ before: '', mine: { name: 'South', description: 'half and more' }, etag: '"1"' }]);
});

test('an edit of a value that somebody else has saved meanwhile keeps that value as the one before', () => {
  add({}, { description: 'half' });
  fail(firstId());
  add({ description: 'theirs' }, { description: 'theirs, and mine' });
  expect(edits()).toEqual([{ before: 'theirs', mine: { description: 'theirs, and mine' }, etag: '"1"' }]);
});

test('if an edit fails while it is sent, the one behind it takes its fields', () => {
  add({}, { description: 'half' });
  setState(firstId(), { isSending: true });
  add({ description: 'half' }, { description: 'half and more' });
  fail(firstId());
  expect(edits()).toEqual([{ before: '', mine: { description: 'half and more' }, etag: '"1"' }]);
});

test('what was saved meanwhile replaces what waits of the same fields', () => {
  add({}, { name: 'North', description: 'half' });
  fail(firstId());
  apply(withSaved(entries, 'a', ['description']));
  expect(edits()).toEqual([{ before: '', mine: { name: 'North' }, etag: '"1"', failure: 'conflict' }]);
  apply(withSaved(entries, 'b', ['name']));
  expect(edits()).toHaveLength(1);
  apply(withSaved(entries, 'a', ['name']));
  expect(entries).toEqual([]);
});

test('a change of a form that showed an edit which has not been sent is one of what the server had before', () => {
  add({}, { description: 'half' });
  const typed = change({ description: 'half' }, { description: 'half and more' }, '"2"');
  const ofServer = { ...typed, base: values, etag: '"1"' };
  expect(afterEdits(entries, 'a', typed)).toEqual(ofServer);
  fail(firstId());
  expect(afterEdits(entries, 'a', typed)).toEqual(ofServer);
  const ofTheirs = change({ description: 'theirs' }, { description: 'half and more' });
  expect(afterEdits(entries, 'a', ofTheirs)).toEqual(ofTheirs);
  const ofName = change({ description: 'half' }, { description: 'half', name: 'North' });
  expect(afterEdits(entries, 'a', ofName)).toEqual(ofName);
  // It may be there already.
  setState(firstId(), { isSending: true, failure: undefined });
  expect(afterEdits(entries, 'a', typed)).toEqual(typed);
});

const withChange = (now: DeviceValues, made: EditEntry['task']['change']) =>
  deviceMerge.take(now, made.mine, deviceMerge.changed(made));

type Step = { kind: 'edit'; field: DeviceField; value: string } | { kind: 'send' | 'fail' | 'done' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      field: fc.constantFrom('name', 'description'),
      value: fc.constantFrom('x', 'y', 'z'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('send', 'fail', 'done') }) },
);

test('after any edits and attempts to send them, the user sees what was typed, and no field is in two edits that are not being sent', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      entries = [];
      let server = values;
      /** What the form shows: the edits over what the server has. */
      let typed = values;
      for (const each of steps) {
        const sending = editsOf(entries, 'a').find(({ isSending }) => isSending);
        if (each.kind === 'edit') {
          const next = { ...typed, [each.field]: each.value };
          apply(withEdit(entries, entryOf({ base: typed, mine: next, etag: '"1"' })));
          typed = next;
        } else if (each.kind === 'send') {
          const next = entries.find(({ failure }) => !failure);
          if (next && !sending) setState(next.id, { isSending: true });
        } else if (sending && each.kind === 'fail') fail(sending.id);
        else if (sending) {
          server = withChange(server, sending.task.change);
          entries = entries.filter((entry) => entry !== sending);
        }

        const changes = editsOf(entries, 'a').map(({ task }) => task.change);
        const shown = changes.reduce(withChange, server);
        expect(shown).toEqual(typed);
        const others = editsOf(entries, 'a').filter(({ isSending }) => !isSending);
        expect(others.filter(({ failure }) => !failure).length).toBeLessThan(2);
        const fields = others.flatMap(({ task }) => deviceMerge.changed(task.change));
        expect(new Set(fields).size).toBe(fields.length);
        // Otherwise, sending it would ask the user about a change of their own.
        if (others.length < changes.length) continue;
        for (const made of changes)
          for (const field of deviceMerge.changed(made)) expect(made.base[field]).toBe(server[field]);
      }
    }),
  );
});
