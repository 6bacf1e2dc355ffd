import { describe, expect, it } from 'vitest';
import { mapQuery } from './map.api.ts';

const viewport = { bbox: [170, -20, -170, 5.5] as [number, number, number, number], zoom: 4 };

describe('mapQuery', () => {
  it('contains the viewport', () => {
    expect(mapQuery({ filters: { audience: 'own' }, viewport })).toBe(
      'audience=own&bbox=170%2C-20%2C-170%2C5.5&zoom=4',
    );
  });

  it('contains the filters of the list, with the bbox of the viewport', () => {
    const filters = {
      audience: 'own',
      q: 'a & b',
      machine_type: ['pc' as const, 'bug' as const],
      swarm: 'none',
      placed: 'yes' as const,
      bbox: [0, 0, 1, 1] as [number, number, number, number],
    };
    const query = new URLSearchParams(mapQuery({ filters, viewport }));
    expect(Object.fromEntries(query)).toEqual({
      audience: 'own',
      bbox: '170,-20,-170,5.5',
      zoom: '4',
      q: 'a & b',
      machine_type: 'pc,bug',
      swarm: 'none',
      placed: 'yes',
    });
  });

  it('contains the roles of a swarm filter', () => {
    const filters = { audience: 'swarm:1', resource_type: ['producer' as const, 'both' as const] };
    expect(new URLSearchParams(mapQuery({ filters, viewport })).get('resource_type')).toBe('producer,both');
  });
});
