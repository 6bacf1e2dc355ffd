import { describe, expect, it } from 'vitest';
import { readCoordinate } from '@swarmdeck/bff/coordinates';
import { ProblemError } from '../../../data/problem.ts';
import { formatPosition } from '../../../text/formats.ts';
import { t } from '../../../text/text.ts';
import { deviceMerge, emptyDraft, type DeviceValues, type Draft } from '../../../data/forms/device-fields.ts';
import { readPair, writeCoordinate } from './coordinates.ts';
import {
  checkDraft,
  fieldText,
  draftChanges,
  draftValues,
  problemErrors,
  readDraft,
  rebase,
  toDraft,
} from './device-form.tsx';

const base: DeviceValues = {
  name: 'Sensor 3',
  machine_type: 'bug',
  description: 'bed 3',
  position: { latitude: 52.924, longitude: 12.2961234567 },
  expected_every: 900,
  keep_track: true,
  keep_values: 'time',
};
const say = t.device.form.errors;
const good: Draft = { ...emptyDraft, name: 'Sensor', machine_type: 'bug' };

describe('coordinates', () => {
  it.each([
    ['52.924', 52.924],
    ['52,924', 52.924],
    [' −12.5° ', -12.5],
    ['+.5', 0.5],
    ['7.', 7],
    ['-0', 0],
    ['47.3769° N', 47.3769],
    ['47,3769°S', -47.3769],
    ['W 8.5417', -8.5417],
    ['47° 22′ 36.84″ N', 47.3769],
    ['47°22\'36,84"N', 47.3769],
    ['47º 22’ N', 47.36666667],
    ['-8°30′', -8.5],
    ['8 32 30.12 W', -8.5417],
    ['8°32’57.1’’E', 8.54919444],
    ['47˚22´36.84´´N', 47.3769],
    ['N47°22.614', 47.3769],
    ['47:22:36.84', 47.3769],
    ['4.7e1', 47],
  ])('%j is read as %d', (text, degrees) => {
    expect(Object.is(readCoordinate(text), degrees)).toBe(true);
  });

  it('a hemisphere of the other axis is invalid', () => {
    expect(readCoordinate('47.3769° N', 'latitude')).toBe(47.3769);
    expect(readCoordinate('47.3769° N', 'longitude')).toBeNaN();
    expect(checkDraft({ ...good, latitude: '8.5° E', longitude: '8.5° E' })).toEqual({ latitude: say.not_a_number });
  });

  it.each([
    '',
    '1,2,3',
    '1.234,5',
    '1e',
    '47:',
    '47° 22.5′ 30″',
    '0x10',
    'north',
    '1 2',
    '-47 S',
    'N 47 N',
    '47° 60′',
    '47.5° 30′',
  ])('%j is not a number', (text) => {
    expect(readCoordinate(text)).toBeNaN();
  });

  it('has six decimals, or more if the value has more', () => {
    expect(writeCoordinate(52.9)).toBe('52.900000');
    expect(formatPosition({ latitude: 52.9, longitude: -12.3 })).toBe('52.900000, -12.300000');
    expect(writeCoordinate(12.2961234567)).toBe('12.2961234567');
  });

  it.each([52.924, 12.2961234567, -0.0000001, 180, 0])('%d is written and read without loss', (degrees) => {
    expect(readCoordinate(writeCoordinate(degrees))).toBe(degrees);
  });

  it.each([
    ['52.924, 12.296', '52.924', '12.296'],
    ['52.924,12.296', '52.924', '12.296'],
    ['52,924; -12,296', '52,924', '-12,296'],
    ['52.924 12.296', '52.924', '12.296'],
    ['52, 12', '52', '12'],
    ['47.3769° N, 8.5417° E', '47.3769° N', '8.5417° E'],
    ['8°32′30″E 47°22′37″N', '47°22′37″N', '8°32′30″E'],
    ['N 47.3769, E 8.5417', 'N 47.3769', 'E 8.5417'],
    ["47° 22.6', 8° 32.5'", "47° 22.6'", "8° 32.5'"],
    ['47° 22′ 36,8″; 8° 32′ 30,1″', '47° 22′ 36,8″', '8° 32′ 30,1″'],
    ['(37.79653, -122.43760)', '37.79653', '-122.43760'],
    ['( 47.3769° N, 8.5417° E )', '47.3769° N', '8.5417° E'],
    ['52.924 12.296 30.0 4.5', '52.924', '12.296'],
    ['-52.924 12.296 -3 0', '-52.924', '12.296'],
    ['geo:52.924,-12.296', '52.924', '-12.296'],
    ['geo:52.924,12.296,30;crs=wgs84;u=35', '52.924', '12.296'],
    ['geo:0,0?z=4&q=52.924,12.296(The%20quay)', '52.924', '12.296'],
  ])('the pair %j pasted into one field fills both', (text, latitude, longitude) => {
    expect(readPair(text)).toEqual({ latitude, longitude });
  });

  it.each(['52,924', '52.924', '47° 22', '47° 22.614', 'a, b', '1, 2, 3', '1 2 3 4', 'geo:x', '(52.924)', ''])(
    '%j is not a pair',
    (text) => {
      expect(readPair(text)).toBeNull();
    },
  );
});

describe('checkDraft', () => {
  it('requires only name and machine type', () => {
    expect(checkDraft(emptyDraft)).toEqual({ name: 'Enter a name.', machine_type: 'Choose a machine type.' });
    expect(checkDraft(good)).toEqual({});
  });

  it('counts characters, not UTF-16 units', () => {
    expect(checkDraft({ ...good, name: '🦫'.repeat(128) })).toEqual({});
    expect(checkDraft({ ...good, name: '🦫'.repeat(129) })).toEqual({ name: 'At most 128 characters.' });
    expect(checkDraft({ ...good, description: 'x'.repeat(2001) })).toEqual({
      description: 'At most 2,000 characters.',
    });
  });

  it('rejects an invisible name', () => {
    expect(checkDraft({ ...good, name: ' \u200b ' })).toEqual({ name: 'A name needs at least one visible character.' });
  });

  it('rejects control characters but not line breaks', () => {
    expect(checkDraft({ ...good, description: 'a\n\tb' })).toEqual({});
    expect(checkDraft({ ...good, description: 'a\u0007b' })).toEqual({ description: 'Remove the control characters.' });
  });

  it('requires both coordinates or none, within range', () => {
    expect(checkDraft({ ...good, latitude: '52' })).toEqual({ longitude: say.other_half });
    expect(checkDraft({ ...good, latitude: '90,1', longitude: '-180' })).toEqual({
      latitude: 'From −90 to 90 degrees.',
    });
    expect(checkDraft({ ...good, latitude: 'x', longitude: '181' })).toEqual({
      latitude: say.not_a_number,
      longitude: 'From −180 to 180 degrees.',
    });
  });

  it('tells a device that is never expected from one without an interval', () => {
    const never = { ...base, expected_every: 0 };
    const draft = { ...toDraft(base), expected_every: '0' };
    expect(toDraft(never)).toEqual(draft);
    expect([readDraft(draft)?.expected_every, draftChanges({ base, draft })]).toEqual([0, ['expected_every']]);
    expect(readDraft({ ...draft, expected_every: '' })?.expected_every).toBeUndefined();
    expect(fieldText('expected_every', 0)).toBe('Never expected');
  });

  it('returns no values for an invalid draft', () => {
    expect(readDraft({ ...good, latitude: '52' })).toBeNull();
    expect(readDraft({ ...good, latitude: '52', longitude: '13,5' })?.position).toEqual({
      latitude: 52,
      longitude: 13.5,
    });
  });
});

describe('draftChanges', () => {
  it('is empty for an unedited form', () => {
    expect(draftChanges({ base, draft: toDraft(base) })).toEqual([]);
    expect(draftValues({ base, draft: toDraft(base) })).toEqual(base);
  });

  it('compares coordinates by value', () => {
    expect(draftChanges({ base, draft: { ...toDraft(base), latitude: '52,92400' } })).toEqual([]);
    expect(draftChanges({ base, draft: { ...toDraft(base), latitude: '52,925' } })).toEqual(['position']);
  });

  it('keeps an empty description that was stored as empty', () => {
    const stored = { ...base, description: '' };
    expect(draftValues({ base: stored, draft: { ...toDraft(stored), name: 'New' } }).description).toBe('');
    expect(draftValues({ base, draft: { ...toDraft(base), description: '' } }).description).toBeUndefined();
  });

  it('includes an incomplete position', () => {
    const unplaced = { ...base, position: undefined };
    expect(draftChanges({ base: unplaced, draft: { ...toDraft(unplaced), latitude: '5' } })).toEqual(['position']);
  });
});

describe('errors of the server', () => {
  const problem = {
    type: 'urn:x',
    title: 't',
    status: 400,
    detail: 'The body is wrong.',
    code: 'body.invalid',
    request_id: 'r',
  };

  const problemWith = (errors: { pointer: string; code: string; detail: string }[]) =>
    new ProblemError({ problem: { ...problem, errors } });
  const ofName = { pointer: '/name', code: 'too_long', detail: 'must have at most 128 characters' };
  const rejected = t.problems['body.invalid'];

  it('are assigned to their fields', () => {
    const errors = [ofName, { pointer: '/position/longitude', code: 'range', detail: 'at most 180' }];
    expect(problemErrors(problemWith(errors))).toEqual({
      fields: { name: rejected, longitude: rejected },
      isOther: false,
    });
  });

  it('are shown by the form if a field is unknown, or if they name none', () => {
    const unknown = { pointer: '/nme', code: 'unknown', detail: 'unknown field' };
    expect(problemErrors(problemWith([ofName, unknown]))).toEqual({ fields: { name: rejected }, isOther: true });
    expect(problemErrors(new ProblemError({ problem }))).toEqual({ fields: {}, isOther: true });
    expect(problemErrors(new TypeError('offline'))).toEqual({ fields: {}, isOther: true });
  });
});

describe('a form whose device changes elsewhere', () => {
  const base: DeviceValues = {
    name: 'Sensor',
    machine_type: 'bug',
    description: undefined,
    position: { latitude: 1, longitude: 2 },
    expected_every: undefined,
    keep_track: undefined,
    keep_values: undefined,
  };
  const moved: DeviceValues = { ...base, position: { latitude: 5, longitude: 6 } };

  it('takes all changes into an unedited form', () => {
    expect(rebase({ base, draft: toDraft(base), theirs: moved })).toEqual({
      base: moved,
      draft: toDraft(moved),
      contested: [],
    });
  });

  it('keeps the user’s edits', () => {
    const draft = { ...toDraft(base), name: 'Renamed' };
    const next = rebase({ base, draft, theirs: moved });
    expect(next).toEqual({ base: moved, draft: { ...toDraft(moved), name: 'Renamed' }, contested: [] });
    expect(draftChanges(next)).toEqual(['name']);
  });

  it.each([{ latitude: '1.5' }, { longitude: '' }])(
    'keeps the base of a field that both sides changed: %j',
    (typed) => {
      const theirs = { ...moved, name: 'Renamed there' };
      const next = rebase({ base, draft: { ...toDraft(base), ...typed }, theirs });
      expect(next.contested).toEqual(['position']);
      expect(next.draft).toEqual({ ...toDraft(base), ...typed, name: 'Renamed there' });
      expect(next.base).toEqual({ ...base, name: 'Renamed there' });
    },
  );

  it('finds the conflict on save after several changes elsewhere', () => {
    const draft = { ...toDraft(base), latitude: '9' };
    const first = rebase({ base, draft, theirs: moved });
    const theirs = { ...moved, description: 'x', position: { latitude: 7, longitude: 7 } };
    const second = rebase({ ...first, theirs });
    expect(deviceMerge.merge({ base: second.base, mine: draftValues(second), theirs }).conflicts).toEqual([
      { field: 'position', mine: { latitude: 9, longitude: 2 }, theirs: theirs.position, before: base.position },
    ]);
  });

  it('has nothing to save if both sides made the same change', () => {
    const next = rebase({ base, draft: { ...toDraft(base), latitude: '5', longitude: '6' }, theirs: moved });
    expect(next.contested).toEqual([]);
    expect(draftChanges(next)).toEqual([]);
  });
});
