import { describe, expect, test } from 'vitest';
import { concernedBy, growthFor, growthForMany, type AudienceChange, type Viewer } from './growth.ts';

let seq = 0;
const change = (kind: AudienceChange['kind'], user_id: string | null, was: string): AudienceChange => ({
  seq: (seq += 1),
  at: `2026-05-12T10:00:${String(seq % 60).padStart(2, '0')}.000Z`,
  kind,
  user_id,
  was,
});
const ann: Viewer = { user_id: 'ann', since: '2026-05-03T00:00:00.000Z', consumers: 0, shown: 0 };
const grown = (changes: AudienceChange[], viewer = ann) => growthFor(viewer, changes);

describe('of users with a name', () => {
  test('a new owner, managers and watchers are named, the highest first', () => {
    expect(
      grown([
        change('watcher', 'wim', 'none'),
        change('manager', 'max', 'none'),
        change('none', 'ola', 'owner'),
        change('owner', 'max', 'manager'),
        change('manager', 'ola', 'none'),
      ]),
    ).toBe('owner:max,watcher:wim');
  });

  test('who has come and gone is told to nobody', () => {
    expect(grown([change('manager', 'max', 'none'), change('none', 'max', 'manager')])).toBeUndefined();
  });

  test('a watcher who is a manager now is new as a manager, and not the other way round', () => {
    expect(grown([change('none', 'wim', 'watcher'), change('manager', 'wim', 'none')])).toBe('manager:wim');
    expect(grown([change('none', 'max', 'manager'), change('watcher', 'max', 'none')])).toBeUndefined();
  });

  test('nobody is told of the own role, or of what was so before', () => {
    expect(grown([change('watcher', 'ann', 'none')])).toBeUndefined();
    const viewer = { ...ann, since: '2026-06-01T00:00:00.000Z' };
    expect(grown([change('watcher', 'wim', 'none')], viewer)).toBeUndefined();
  });
});

describe('of the reach', () => {
  test('the newest is told if it is higher', () => {
    expect(grown([change('open', null, 'private'), change('listed', null, 'open')])).toBe('listed');
    expect(grown([change('open', null, 'private'), change('private', null, 'open')])).toBeUndefined();
    expect(grown([change('open', null, 'listed')])).toBeUndefined();
  });
});

describe('of links', () => {
  test('the first one is told, if it has not ended meanwhile', () => {
    expect(grown([change('links', null, 'links_not')])).toBe('links');
    expect(grown([change('links', null, 'links_not'), change('links_not', null, 'links')])).toBeUndefined();
    expect(grown([change('links_not', null, 'links'), change('links', null, 'links_not')])).toBeUndefined();
    expect(grown([change('open', null, 'private'), change('links', null, 'links_not')])).toBe('open,links');
  });

  test('the first one that shows members is told to those whom it shows', () => {
    const shown = { ...ann, shown: 1 };
    const changes = [change('guests', null, 'guests_not')];
    expect([grown(changes), grown(changes, shown)]).toEqual([undefined, 'guests']);
    expect(growthForMany(changes)(shown)).toBe('guests');
    expect(concernedBy(changes)).toMatchObject({ receivers: false, shown: true });
    expect(grown([...changes, change('guests_not', null, 'guests')], shown)).toBeUndefined();
  });
});

describe('of receivers', () => {
  const receiving = { ...ann, consumers: 1 };

  test('only the first one is told', () => {
    expect(grown([change('receives', 'x', '0'), change('receives', 'y', '1')])).toBe('receivers');
    expect(grown([change('receives', 'y', '1')])).toBeUndefined();
    expect(grown([change('receives', 'x', '0'), change('receives_not', 'x', '1')])).toBeUndefined();
    expect(grown([change('receives_not', 'x', '1'), change('receives', 'y', '0')])).toBeUndefined();
  });

  test('own devices do not count, whenever they began to receive', () => {
    expect(grown([change('receives', 'x', '1')], receiving)).toBe('receivers');
    expect(grown([change('receives', 'ann', '0')], receiving)).toBeUndefined();
    expect(grown([change('receives', 'ann', '0'), change('receives', 'x', '1')], receiving)).toBe('receivers');
    expect(grown([change('receives', 'x', '0'), change('receives', 'ann', '1')], receiving)).toBe('receivers');
  });

  test('who receives since before is not new to somebody who begins to receive', () => {
    expect(grown([change('receives', 'ann', '1')], receiving)).toBeUndefined();
  });
});

describe('of many users', () => {
  test('is computed once for all who saw the swarm before, and for others singly', () => {
    const changes = Array.from({ length: 1000 }, (_, index) => change('watcher', `user-${index}`, 'none'));
    let reads = 0;
    const counted = changes.map((one) => ({
      ...one,
      get kind() {
        reads += 1;
        return one.kind;
      },
    }));
    const growthOf = growthForMany(counted);
    for (let each = 0; each < 500; each += 1) growthOf({ ...ann, user_id: `other-${each}` });
    expect(reads).toBeLessThan(50 * changes.length);
    for (const viewer of [
      ann,
      { ...ann, user_id: 'user-7' },
      { ...ann, since: changes[500]!.at },
      { ...ann, consumers: 1 },
    ])
      expect(growthOf(viewer)).toBe(growthFor(viewer, changes));
  });

  test('concerns nobody if all of it was undone before anybody joined', () => {
    const undone = [change('none', 'max', 'watcher'), change('watcher', 'max', 'none')];
    expect(concernedBy(undone)).toEqual({ since: undone[0]!.at, receivers: false, shown: false });
    expect(concernedBy([change('none', 'max', 'watcher')])).toBeUndefined();
    expect(concernedBy([change('watcher', 'max', 'none')])).toEqual({ since: '', receivers: true, shown: true });
  });
});
