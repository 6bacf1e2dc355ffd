import { describe, expect, it } from 'vitest';
import { Problem } from '../problem.ts';
import { createOriginChecks } from './origin-checks.ts';

const host = 'devices.example.org:3000';

const checks = createOriginChecks({ publicUrl: 'https://swarm.example.org' });

function refusal(method: string, headers: Record<string, string>, check = checks.requireOwnPage): string | undefined {
  try {
    check(new Request(`http://${host}/api/resources`, { method, headers: { host, ...headers } }));
    return undefined;
  } catch (error) {
    return error instanceof Problem ? error.code : String(error);
  }
}

describe('a write', () => {
  it.each([
    ['from a page of this site', { 'sec-fetch-site': 'same-origin' }],
    ['whose Origin is our host, where the browser says no more', { origin: `http://${host}` }],
    ['whose Origin is our host behind a proxy that ends TLS', { origin: `https://${host}` }],
    ['whose Origin is PUBLIC_URL behind a proxy that changes Host', { origin: 'https://swarm.example.org' }],
  ])('is accepted %s', (_case, headers) => {
    expect(refusal('POST', headers)).toBeUndefined();
  });

  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from another host of our domain', { 'sec-fetch-site': 'same-site', origin: 'https://www.example.org' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['from another site, whatever its Origin says', { 'sec-fetch-site': 'cross-site', origin: `http://${host}` }],
    [
      'from another site, although its Origin is PUBLIC_URL',
      { 'sec-fetch-site': 'cross-site', origin: 'https://swarm.example.org' },
    ],
    ['whose Origin is PUBLIC_URL without TLS', { origin: 'http://swarm.example.org' }],
    ['whose Origin is another port of PUBLIC_URL', { origin: 'https://swarm.example.org:8443' }],
    ['whose Origin is another host', { origin: 'https://evil.example' }],
    ['whose Origin is another port of our host', { origin: 'http://devices.example.org:3001' }],
    ['whose Origin begins like our host', { origin: `http://${host}.evil.example` }],
    ['whose Origin is hidden', { origin: 'null' }],
    ['that says nothing of where it comes from', {}],
  ] as [string, Record<string, string>][])('is refused %s', (_case, headers) => {
    for (const check of Object.values(checks))
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        expect(refusal(method, headers, check)).toBe('origin.refused');
  });
});

describe('a read', () => {
  const sites = ['same-origin', 'none', 'same-site', 'cross-site'];

  it('of what only own pages ask for is refused if the browser says that another page asks', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const refused = sites.filter((site) => refusal(method, { 'sec-fetch-site': site }) === 'origin.refused');
      expect(refused).toEqual(['same-site', 'cross-site']);
      expect(refusal(method, { origin: 'https://evil.example' })).toBeUndefined();
    }
  });

  it('of anything else is accepted', () => {
    for (const site of sites)
      expect(refusal('GET', { 'sec-fetch-site': site }, checks.requireSameOrigin)).toBeUndefined();
  });
});
