import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { topicsShown, urlOf } from './live.ts';

const device = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';

it('contains the visible queries with valid names', () => {
  const client = new QueryClient();
  const keys = [
    ['devices', 'pages', ''],
    ['map', { audience: `swarm:${device}` }],
    ['map', { audience: 'swarm:nonsense' }],
    ['resource', device],
    ['resource', device, 'swarms'],
    ['resource', 'nonsense'],
  ];
  client.setQueryData(['map', { audience: 'visible' }], 'nobody looks at it');
  const ends = keys.map((queryKey) => new QueryObserver(client, { queryKey, queryFn: () => 0 }).subscribe(() => {}));
  expect(topicsShown(client)).toEqual({ audiences: ['own', `swarm:${device}`], resources: [device] });
  for (const end of ends) end();
  expect(topicsShown(client)).toEqual({ audiences: [], resources: [] });
  client.clear();
});

it('writes at most 20 resources to the URL of the stream', () => {
  const many = Array.from({ length: 30 }, (_, number) => `r${number}`);
  const query = new URL(urlOf({ topics: { audiences: ['own'], resources: many }, after: 'p-1' }), 'http://here');
  expect(query.searchParams.get('watch')).toBe('own');
  expect(query.searchParams.get('resource')?.split(',')).toHaveLength(20);
  expect(query.searchParams.get('last_event_id')).toBe('p-1');
  expect(urlOf({ topics: { audiences: [], resources: [] }, after: undefined })).toBe('/api/events?watch=');
});
