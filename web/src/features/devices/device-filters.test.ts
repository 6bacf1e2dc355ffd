import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toggleChosen } from '../../data/filter-params.ts';
import { changeParams } from '../../ui/urls/url-state.ts';
import {
  filtersOn,
  homeUrl,
  listAudience,
  removeAllFilters,
  removeFilter,
  toggle,
  toQuery,
  type ListState,
} from './device-filters.ts';

const read = (query: string): ListState => {
  const { selected: _selected, map: _map, byValue: _byValue, ...list } = homeUrl.read(new URLSearchParams(query));
  return list;
};
const write = (query: string, change: Partial<ListState> | ((now: ListState) => Partial<ListState>)) =>
  changeParams({ codec: homeUrl, params: new URLSearchParams(query), change });

describe('the URL of the list', () => {
  it('has the audience that was chosen last only if it says nothing else, and then keeps it', () => {
    listAudience.set('visible');
    expect(read('').filters).toEqual({ audience: 'visible' });
    expect(read('lang=de').filters).toEqual({ audience: 'visible' });
    expect(read('q=quay').filters).toEqual({ q: 'quay' });
    expect(write('', { sort: '-changed' }).toString()).toBe('audience=visible&sort=-changed');
    listAudience.set('own');
    expect(read('').filters).toEqual({});
  });

  it('uses the parameter names of the API', () => {
    const query =
      'audience=visible&q=quay&machine_type=bug,pc&swarm=none&placed=no&sort=-changed&bbox=1,2,3,4&in_view=1';
    expect(read(query)).toEqual({
      filters: { audience: 'visible', q: 'quay', machine_type: ['pc', 'bug'], swarm: 'none', placed: 'no' },
      sort: '-changed',
      stack: [1, 2, 3, 4],
      in_view: true,
    });
  });

  it('rounds a stack to a metre, contains its position, and does not grow when it is written again', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: -90, max: 90, noNaN: true }),
        (x, y) => {
          const written = write('', { stack: [x, y, x, y] });
          const [west, south, east, north] = read(written.toString()).stack ?? [];
          expect(west! <= x + 1e-9 && x <= east! + 1e-9 && south! <= y + 1e-9 && y <= north! + 1e-9).toBe(true);
          expect(east! - west!).toBeLessThan(3e-5);
          const again = write('', read(written.toString()));
          expect(again.get('bbox')).toBe(written.get('bbox'));
        },
      ),
    );
  });

  it('shows, filters and sorts by a value, and has no order by a value that is not there', () => {
    const query = 'values=a%252Cb&value=a%252Cb&value_from=30&sort=-value';
    const state = read(query);
    expect(state.filters).toEqual({ values: ['a,b'], value: 'a,b', value_from: 30 });
    expect(state.sort).toBe('-value');
    expect(read(write('', state).toString())).toEqual(state);
    expect(read('values=level&sort=value&value_from=x').sort).toBe('name');
    expect(removeFilter(state, 'value')).toEqual({ ...state, filters: { values: ['a,b'] }, sort: 'name' });
  });

  it('ignores invalid values', () => {
    expect(read('machine_type=tractor&placed=maybe&sort=sideways&in_view=yes&q=&bbox=1,x,3')).toEqual({
      filters: {},
      sort: 'name',
      stack: null,
      in_view: false,
    });
  });

  it('reads what was written, and keeps other parameters', () => {
    const state: ListState = {
      filters: { q: 'a&b=c', machine_type: ['smartphone'], swarm: 's1', placed: 'yes' },
      sort: '-created',
      stack: [10.5, 52, 10.5, 52],
      in_view: true,
    };
    const written = write('sel=r1&map=4/1/2&q=old', state);
    expect(read(written.toString())).toEqual(state);
    expect(written.get('sel')).toBe('r1');
    expect(written.get('map')).toBe('4/1/2');
  });

  it('never contains where the user is', () => {
    expect(read('sort=near&near=52.5,13.4').sort).toBe('near');
    expect(write('sort=near&near=52.5,13.4', { in_view: true }).toString()).toBe('sort=near&in_view=1');
  });

  it('is empty without filters', () => {
    expect(write('q=x&machine_type=pc&in_view=1', removeAllFilters).toString()).toBe('');
  });
});

describe('a change of the list', () => {
  it('keeps the changes of the URL since the last render', () => {
    const change = ({ filters }: ListState) => ({ filters: toggleChosen(filters, 'machine_type', 'pc') });
    expect(write('q=quay&sort=-created&sel=r1', change).toString()).toBe('q=quay&sort=-created&sel=r1&machine_type=pc');
  });

  it('clears all filters and keeps the map view', () => {
    expect(write('q=west&placed=no&map=4/1/2', removeAllFilters).toString()).toBe('map=4%2F1%2F2');
  });
});

describe('filters', () => {
  const all = read('q=quay&action=a1&machine_type=bug,pc&swarm=s1&placed=no&bbox=1,2,1,2&in_view=1');

  it('are listed once each, with all machine types as one', () => {
    expect(filtersOn(all)).toEqual(['q', 'action', 'machine_type', 'swarm', 'placed', 'stack', 'in_view']);
    expect(filtersOn(read(''))).toEqual([]);
  });

  it('are removed one at a time', () => {
    for (const kind of filtersOn(all)) {
      expect(filtersOn(removeFilter(all, kind))).toEqual(filtersOn(all).filter((other) => other !== kind));
    }
  });

  it('remove a swarm that is selected again, and replace it with another one', () => {
    const none = toggle({ q: 'x' }, 'swarm', 'none');
    expect(none).toEqual({ q: 'x', swarm: 'none' });
    expect(toggle(none, 'swarm', 's1')).toEqual({ q: 'x', swarm: 's1' });
    expect(toggle(none, 'swarm', 'none')).toEqual({ q: 'x' });
  });
});

describe('the request', () => {
  it('contains filters, order, bbox, cursor and limit', () => {
    const query = toQuery({
      filters: { q: 'ä b', machine_type: ['pc', 'bug'] },
      sort: '-changed',
      bbox: [170.123456789, -10, -170, 10.5],
      cursor: 'c1',
      limit: 200,
    });
    expect(Object.fromEntries(new URLSearchParams(query))).toEqual({
      audience: 'own',
      q: 'ä b',
      machine_type: 'pc,bug',
      sort: '-changed',
      bbox: '170.12345,-10,-170,10.5',
      cursor: 'c1',
      limit: '200',
    });
  });
});
