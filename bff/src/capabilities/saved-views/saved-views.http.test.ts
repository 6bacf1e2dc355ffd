// stores: SQLite, PostgreSQL in the long run
/** Saved views in the whole server: storage, access and validation. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActionResults, Problem, SavedView, SavedViews } from '../../contract.ts';
import { actionsOf } from '../../tests/actions.fixture.ts';
import { outcomeOf, signUpClient, type ServiceClient } from '../../tests/service-client.fixture.ts';
import { createTestServer, origin, type TestServer } from '../../tests/test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
let bob: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  [ann, bob] = [await signUpClient(server, 'ann', 'gateway'), await signUpClient(server, 'bob', 'gateway')];
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => server.db.write([{ sql: 'DELETE FROM saved_views' }]));

const path = '/saved-views';
const save = (who: ServiceClient, name: string, url = '/') => who.make<SavedView>(path, { name, url });
const trySave = (who: ServiceClient, body: unknown) => who.request({ method: 'POST', path, body });
const all = async (who: ServiceClient) => (await who.get<SavedViews>(path)).items;
const namesOf = async (who: ServiceClient) => (await all(who)).map(({ name }) => name);
const faultsOf = async (answer: Response) => {
  const { code, errors = [] } = (await answer.json()) as Problem;
  return [code, ...errors.map(({ pointer, code }) => `${pointer} ${code}`)];
};
const id = '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10';

describe('a view', () => {
  test('is stored with its name, listed by name, renamed, replaced and deleted', async () => {
    const bugs = await save(ann, 'Bugs 10', '/?machine_type=bug&map=5.2%2F52.5%2F13.4');
    const early = await save(ann, 'bugs 9', '/map');
    expect(bugs).toEqual({
      id: bugs.id,
      name: 'Bugs 10',
      url: '/?machine_type=bug&map=5.2%2F52.5%2F13.4',
      swarms: [],
      created_at: bugs.created_at,
      updated_at: bugs.created_at,
    });
    expect(await ann.get(path)).toEqual({ items: [early, bugs], limit: 200 });

    server.wait(5);
    const renamed = await ann.change<SavedView>(`${path}/${bugs.id}`, { name: 'A bug' });
    expect(renamed).toEqual({ ...bugs, name: 'A bug', updated_at: renamed.updated_at });
    expect(renamed.updated_at > bugs.updated_at).toBe(true);
    const replaced = await ann.change<SavedView>(`${path}/${bugs.id}`, { url: '/?q=lamp' });
    expect(replaced).toMatchObject({ name: 'A bug', url: '/?q=lamp', created_at: bugs.created_at });
    expect(await namesOf(ann)).toEqual(['A bug', 'bugs 9']);

    await ann.remove(`${path}/${bugs.id}`);
    expect(await namesOf(ann)).toEqual(['bugs 9']);
    expect(await outcomeOf(await ann.request({ method: 'DELETE', path: `${path}/${bugs.id}` }))).toBe(
      '404 saved_view.not_found',
    );
  });

  test('does not exist for other users', async () => {
    const theirs = await save(bob, 'Harbour');
    expect(await all(ann)).toEqual([]);
    for (const asked of [
      { method: 'PUT', path: `${path}/${theirs.id}`, body: { name: 'Mine' } },
      { method: 'PUT', path: `${path}/${theirs.id}`, body: {} },
      { method: 'DELETE', path: `${path}/${theirs.id}` },
    ]) {
      expect(await outcomeOf(await ann.request(asked))).toBe('404 saved_view.not_found');
    }
    expect(await all(bob)).toEqual([theirs]);
    expect(await save(ann, 'Harbour')).toMatchObject({ name: 'Harbour' });
  });

  test('has the names of its swarms if the user can see them', async () => {
    const [own, foreign] = [await ann.swarm({ name: 'Harbour' }), await bob.swarm({ name: 'Secret' })];
    const view = await save(ann, 'Wall', `/swarms/${own.id}/map?machine_type=pc`);
    expect(view.swarms).toEqual([{ id: own.id, name: 'Harbour' }]);
    expect((await save(ann, 'Filter', `/?swarm=${own.id}`)).swarms).toEqual(view.swarms);
    expect((await save(ann, 'Foreign', `/?swarm=${foreign.id}`)).swarms).toEqual([]);
    expect((await save(ann, 'None', '/?swarm=none')).swarms).toEqual([]);
    await ann.destroy('swarms', own);
    expect((await all(ann)).map(({ swarms }) => swarms)).toEqual([[], [], [], []]);
  });

  test('is deleted with its user’s account, without affecting other users', async () => {
    const eve = await signUpClient(server, 'eve', 'gateway');
    await save(eve, 'Harbour');
    const kept = await save(bob, 'Harbour');
    const body = { user_id: 'eve' };
    expect((await eve.request({ method: 'DELETE', path: '/account', body })).status).toBe(204);
    expect(await server.db.read({ sql: 'SELECT id FROM saved_views' })).toEqual([{ id: kept.id }]);
  });

  test('rejects cross-site writes and requests without a session', async () => {
    const body = { name: 'Harbour', url: '/' };
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' };
    expect(await outcomeOf(await ann.request({ method: 'POST', path, body, headers: foreign }))).toBe(
      '403 origin.refused',
    );
    const nobody = await server.fetch(`/api${path}`, { headers: { origin } });
    expect(await outcomeOf(nobody)).toBe('401 session.missing');
    expect(await outcomeOf(await ann.request({ method: 'PATCH', path }))).toBe('405 route.method_not_allowed');
  });
});

describe('a name', () => {
  test('is trimmed, and has 1 to 64 characters', async () => {
    expect(await save(ann, '  Two \n words ')).toMatchObject({ name: 'Two words' });
    const longest = '🐞'.repeat(64);
    expect(await save(ann, longest)).toMatchObject({ name: longest });
    for (const name of ['', '   ', '\u2800', `${longest}x`, 'a\u0000b', 5, null]) {
      const answer = await trySave(ann, { name, url: '/' });
      expect(answer.status).toBe(400);
      expect(await faultsOf(answer)).toEqual(['body.invalid', expect.stringMatching(/^\/name /)]);
    }
    expect(await faultsOf(await trySave(ann, {}))).toEqual([
      'body.invalid',
      '/name field.required',
      '/url field.required',
    ]);
    expect(await namesOf(ann)).toHaveLength(2);
  });

  test('is unique ignoring case', async () => {
    const harbour = await save(ann, 'Hafen Öst');
    const other = await save(ann, 'Other');
    const taken = ['saved_view.name_taken', '/name saved_view.name_taken'];
    expect(await faultsOf(await trySave(ann, { name: ' hafen  öst', url: '/map' }))).toEqual(taken);
    const rename = (which: SavedView, name: string) =>
      ann.request({ method: 'PUT', path: `${path}/${which.id}`, body: { name } });
    expect(await faultsOf(await rename(other, 'HAFEN ÖST'))).toEqual(taken);
    expect((await rename(harbour, 'HAFEN öst')).status).toBe(200);
    expect(await namesOf(ann)).toEqual(['HAFEN öst', 'Other']);
  });

  test('is taken once by two concurrent requests', async () => {
    const statuses = await Promise.all(
      ['/', '/map', '/?q=b'].map(async (url) => (await trySave(ann, { name: 'Harbour', url })).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  test('is taken by the same view once more, whose answer was lost', async () => {
    const saved = await save(ann, 'Harbour');
    const { name, url } = saved;
    const again = await trySave(ann, { name, url });
    expect([again.status, await again.json()]).toEqual([200, saved]);
    expect((await trySave(ann, { name, url: '/map?zoom=3' })).status).toBe(409);
    expect(await namesOf(ann)).toEqual(['Harbour']);
  });
});

test('is rejected beyond 200 views until one is deleted', async () => {
  await Promise.all(Array.from({ length: 199 }, (_, at) => save(ann, `View ${at}`)));
  const [first, second] = await Promise.all(['A', 'B'].map((name) => trySave(ann, { name, url: '/' })));
  expect([first!.status, second!.status].toSorted((a, b) => a - b)).toEqual([201, 409]);
  const [view] = await all(ann);
  expect(await outcomeOf(await trySave(ann, { name: 'One more', url: '/' }))).toBe('409 saved_view.too_many');
  expect(await save(bob, 'His first')).toMatchObject({ name: 'His first' });
  await ann.remove(`${path}/${view!.id}`);
  await save(ann, 'One more');
  expect(await all(ann)).toHaveLength(200);
});

test('an action deletes a view only for its owner', async () => {
  const { id, name } = await save(ann, 'Bugs');
  for (const [who, result] of [
    [bob, { code: 'saved_view.not_found' }],
    [ann, null],
  ] as const) {
    const actions = actionsOf(who);
    const action = await actions.start({ kind: 'delete_view', about: {}, wait: 0, items: [{ id, name }] });
    await actions.ended(action.id);
    const { results } = await who.get<ActionResults>(`/actions/${action.id}/results`);
    expect(results).toMatchObject([{ result }]);
  }
  expect(await all(ann)).toEqual([]);
});

describe('the URL of a view', () => {
  test.each([
    '',
    '?q=a',
    'map',
    '/account',
    '/map/',
    `/swarms/${id}`,
    '/swarms/../map',
    'https://elsewhere.example/',
    '//elsewhere.example/map',
    'javascript:alert(1)',
    '/?q=a#b',
    '/?q=a?b',
    '/\\elsewhere.example',
  ])('is rejected if it is not a page of the app: %s', async (url) => {
    expect(await faultsOf(await trySave(ann, { name: 'a', url }))).toEqual(['body.invalid', '/url field.invalid']);
  });

  test('is stored as it was sent, with at most 4,000 characters', async () => {
    const longest = `/map?q=${'ä'.repeat(3993)}`;
    expect(await save(ann, 'Long', longest)).toMatchObject({ url: longest });
    const answer = await trySave(ann, { name: 'Longer', url: `${longest}x` });
    expect(await faultsOf(answer)).toEqual(['body.invalid', '/url field.out_of_range']);
  });
});
