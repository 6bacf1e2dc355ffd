import { describe, expect, test } from 'vitest';
import { changeParams } from '../../ui/urls/url-state.ts';
import { filtersOf, wallUrl } from './wall-layers.ts';

const read = (query: string) => wallUrl.read(new URLSearchParams(query)).layers;
const write = (query: string, layers: ReturnType<typeof read>) =>
  changeParams({ codec: wallUrl, params: new URLSearchParams(query), change: { layers } }).toString();

describe('the layers of a wall', () => {
  test('are all on by default', () => {
    expect(read('map=3/1/2')).toEqual({
      machine_type: ['pc', 'bug', 'smartphone'],
      resource_type: ['producer', 'consumer', 'both'],
      presence: ['online', 'offline', 'silent', 'never'],
    });
    expect(write('map=3/1/2', read(''))).toBe('map=3%2F1%2F2');
  });

  test('are read from the URL, and other parameters stay', () => {
    const layers = read('machine_type=bug,unknown&resource_type=both&presence=silent');
    expect(layers).toEqual({ machine_type: ['bug'], resource_type: ['both'], presence: ['silent'] });
    expect(write('sel=x', layers)).toBe('sel=x&machine_type=bug&resource_type=both&presence=silent');
  });

  test('can all be off, which the URL stores', () => {
    const none = { ...read(''), machine_type: [] };
    expect(read(write('', none))).toEqual(none);
    expect(filtersOf({ audience: 'visible', layers: none })).toBeNull();
  });
});

describe('the filters of the map', () => {
  test('are empty if all layers are on', () => {
    expect(filtersOf({ audience: 'visible', layers: read('') })).toEqual({ audience: 'visible' });
  });

  test('contain roles only in a swarm', () => {
    const layers = read('resource_type=both&machine_type=pc');
    expect(filtersOf({ audience: 'visible', layers })).toEqual({ audience: 'visible', machine_type: ['pc'] });
    expect(filtersOf({ audience: 'visible', layers: read('presence=silent') })?.presence).toEqual(['silent']);
    expect(filtersOf({ audience: 'swarm:1', layers })).toEqual({
      audience: 'swarm:1',
      machine_type: ['pc'],
      resource_type: ['both'],
    });
    const none = read('resource_type=');
    expect(filtersOf({ audience: 'swarm:1', layers: none })).toBeNull();
    expect(filtersOf({ audience: 'visible', layers: none })).toEqual({ audience: 'visible' });
  });
});
