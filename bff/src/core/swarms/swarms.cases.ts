import { expect } from 'vitest';
import type { DirectoryPage, Resource, Swarm } from '../../contract.ts';
import {
  allows,
  forbidden,
  get,
  notFound,
  onceForAKey,
  post,
  put,
  invalidBody,
  remove,
  readOnlyCases,
  strangeBodies,
  strangeIds,
  strangeNames,
  strangeTexts,
  tooMany,
  unknownId,
  type Cases,
  type Context,
  type Expected,
} from '../../tests/contract.cases.ts';
import { origin } from '../../tests/test-server.fixture.ts';

const ring = { name: 'Ring', description: 'of sensors' };
const create = (body: unknown, headers = {}) => post('/swarms', body, headers);
const change = ({ id }: { id: string }, body: unknown, headers = {}) => put(`/swarms/${id}`, body, headers);
const changed: Expected = { status: 412, code: 'swarm.changed' };
const as = ({ id }: Resource, resource_type: string) => ({ resource_id: id, resource_type });
const member = ({ id, user_id }: Resource, resource_type: string) => ({
  resource_id: id,
  resource_type,
  user_id,
  url: `${origin}/service/resources/${id}`,
});

/** A public swarm of Ben's, to which Ann was never invited. */
async function publicSwarm({ ann, ben, theirSwarm, invitation, theirs }: Context): Promise<Swarm> {
  await ben.withdraw(invitation);
  await ben.add(theirSwarm, theirs);
  const swarm = await ben.change<Swarm>(`/swarms/${theirSwarm.id}`, { public: true });
  await ann.get(`/swarms/${swarm.id}`);
  return swarm;
}

async function listedSwarm(context: Context): Promise<Swarm> {
  const { id } = await publicSwarm(context);
  return context.ben.change<Swarm>(`/swarms/${id}`, { listed: true });
}
const idsOf = ({ items }: DirectoryPage) => items.map(({ id }) => id);
const cursorOf = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
const invalidQuery = (pointer: string): Expected => ({ status: 400, code: 'query.invalid', pointers: [pointer] });

const notices = ({ id }: { id: string }) => `/swarms/${id}/silence-notices`;

export const cases: Cases = {
  getSilenceNotices: [
    {
      title: 'the owner, who has chosen nothing',
      request: ({ swarm }) => get(notices(swarm)),
      expect: { status: 200, body: { enabled: true } },
      isReadOnly: true,
    },
    {
      title: 'a watcher, who has chosen nothing',
      async request({ ann, ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann', 'watcher');
        await ann.agree(theirSwarm, 'ann');
        return get(notices(theirSwarm));
      },
      expect: { status: 200, body: { enabled: false } },
    },
    {
      title: 'who is only invited',
      request: ({ theirSwarm }) => get(notices(theirSwarm)),
      expect: forbidden('swarm'),
      isReadOnly: true,
    },
    ...strangeIds('swarm', (_context, id) => get(notices({ id }))),
  ],

  setSilenceNotices: [
    {
      title: 'off',
      request: ({ swarm }) => put(notices(swarm), { enabled: false }),
      expect: { status: 200, body: { enabled: false } },
    },
    {
      title: 'on, by a manager',
      async request({ ann, ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann');
        await ann.agree(theirSwarm, 'ann');
        return put(notices(theirSwarm), { enabled: true });
      },
      expect: { status: 200, body: { enabled: true } },
    },
    ...readOnlyCases([
      {
        title: 'a number',
        request: ({ swarm }) => put(notices(swarm), { enabled: 1 }),
        expect: invalidBody('/enabled'),
      },
      {
        title: 'who is only invited, before an invalid body',
        request: ({ theirSwarm }) => put(notices(theirSwarm), {}),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeBodies(
      ({ swarm }, body, headers) => put(notices(swarm), body, headers),
      () => ({ enabled: true }),
    ),
    ...strangeIds('swarm', (_context, id) => put(notices({ id }), { enabled: true })),
  ],

  listDirectory: [
    {
      title: 'a swarm of another user, in each order, with what its owner writes and the number of its members',
      async request(context) {
        const { id } = await listedSwarm(context);
        for (const sort of ['name', '-members', '-active'])
          expect(idsOf(await context.ann.get(`/directory?sort=${sort}`))).toContain(id);
        return get('/directory?q=THEIR%20b%C3%A9n');
      },
      expect: ({ theirSwarm: { id, name, description, created_at } }) => ({
        status: 200,
        body: {
          items: [
            {
              id,
              user_id: 'ben',
              name,
              description,
              created_at,
              member_count: 1,
              active_at: expect.any(String) as string,
            },
          ],
          next: null,
          total: 1,
        },
      }),
    },
    {
      title: 'a swarm that is only public',
      async request(context) {
        const { id } = await publicSwarm(context);
        expect(idsOf(await context.ann.get('/directory'))).not.toContain(id);
        return get('/directory?q=theirs');
      },
      expect: { status: 200, body: { items: [], next: null, total: 0 } },
    },
    {
      title: 'a listed swarm that is made private is not listed any more, also when it is public again',
      async request({ ann, swarm }) {
        await ann.change(`/swarms/${swarm.id}`, { public: true, listed: true });
        await ann.change(`/swarms/${swarm.id}`, { public: false });
        expect(await ann.change(`/swarms/${swarm.id}`, { public: true })).not.toHaveProperty('listed');
        return get('/directory');
      },
      expect: { status: 200, body: { items: [], next: null, total: 0 } },
    },
    {
      title: 'pages, of which the first has the number of all',
      async request(context) {
        const { ann, ben } = context;
        await listedSwarm(context);
        for (const each of [await ann.swarm(), await ben.swarm(), await ann.swarm()])
          await (each.user_id === 'ann' ? ann : ben).change(`/swarms/${each.id}`, { public: true, listed: true });
        const first = await ann.get<DirectoryPage>('/directory?limit=3');
        expect([first.items.length, first.total]).toEqual([3, 4]);
        return get(`/directory?limit=3&cursor=${first.next}`);
      },
      expect: { status: 200, body: { items: [expect.anything()], next: null } },
    },
    ...readOnlyCases([
      { title: 'an unknown order', request: () => get('/directory?sort=size'), expect: invalidQuery('?sort') },
      { title: 'a limit of 0', request: () => get('/directory?limit=0'), expect: invalidQuery('?limit') },
      { title: 'a limit of 201', request: () => get('/directory?limit=201'), expect: invalidQuery('?limit') },
      {
        title: 'a search of 201 characters',
        request: () => get(`/directory?q=${'a'.repeat(201)}`),
        expect: invalidQuery('?q'),
      },
      ...Object.entries({
        'that is no cursor': 'x',
        'of another order': cursorOf('name', 'a', unknownId),
        'without a number of members': cursorOf('-members', 'x', unknownId),
      }).map(([title, cursor]) => ({
        title: `a cursor ${title}`,
        request: () => get(`/directory?sort=-members&cursor=${cursor}`),
        expect: invalidQuery('?cursor'),
      })),
    ]),
    { title: 'an unsupported method', request: () => post('/directory', {}), expect: allows('GET, HEAD') },
  ],

  createSwarm: [
    {
      title: 'beyond the quota',
      request: async ({ fill }) => {
        await fill('swarms');
        return post('/swarms', { name: 'Ring', description: '' });
      },
      expect: tooMany('swarm'),
    },
    {
      title: 'name and description',
      request: () => create({ name: 'Ring', description: '' }),
      expect: {
        status: 201,
        body: { name: 'Ring', description: '', user_id: 'ann', public: false, resources: [] },
        headers: { etag: '"1"', location: new RegExp(`^${origin}/service/swarms/[0-9a-f-]{36}$`) },
      },
    },
    {
      title: 'a public swarm with own resources',
      request: ({ own }) => create({ ...ring, public: true, resources: [as(own, 'both')] }),
      expect: ({ own }) => ({ status: 201, body: { ...ring, public: true, resources: [member(own, 'both')] } }),
    },
    {
      title: 'a time in which its members are expected to be heard',
      request: async ({ ann }) => {
        const { id } = await ann.make<Swarm>('/swarms', { ...ring, expected_every: 60 });
        expect(await ann.get(`/swarms/${id}`)).toMatchObject({ expected_every: 60 });
        return create({ ...ring, expected_every: 60 });
      },
      expect: { status: 201, body: { ...ring, expected_every: 60 } },
    },
    {
      title: 'too short a time',
      request: () => create({ ...ring, expected_every: 59 }),
      expect: invalidBody('/expected_every'),
    },
    {
      title: 'a resource that is listed with each role has both roles',
      request: ({ own }) => create({ ...ring, resources: [as(own, 'producer'), as(own, 'consumer')] }),
      expect: ({ own }) => ({ status: 201, body: { resources: [member(own, 'both')] } }),
    },
    {
      title: 'a name that another swarm has',
      request: ({ swarm }) => create({ ...ring, name: swarm.name }),
      expect: { status: 201 },
    },
    {
      title: 'a name of 128 and a description of 2,000 code points',
      request: () => create({ name: '🛰'.repeat(128), description: '🛰'.repeat(2000) }),
      expect: { status: 201 },
    },
    {
      title: 'line breaks and tabs in texts',
      request: () => create({ ...ring, description: 'a\n\tb' }),
      expect: { status: 201, body: { description: 'a\n\tb' } },
    },
    ...readOnlyCases([
      {
        title: 'resources of another user, unknown resources and malformed ids are all named',
        request: ({ own, theirs }) =>
          create({
            ...ring,
            resources: [theirs.id, own.id, unknownId, 'x'].map((id) => as({ id } as Resource, 'both')),
          }),
        expect: invalidBody('/resources/0/resource_id', '/resources/2/resource_id', '/resources/3/resource_id'),
      },
      {
        title: 'resources of another user and other errors are reported together',
        request: ({ theirs, own }) =>
          create({
            name: '',
            resources: [
              { resource_id: own.id, resource_type: 'toaster' },
              { resource_id: theirs.id, resource_type: 'both' },
            ],
          }),
        expect: invalidBody('/name', '/description', '/resources/0/resource_type', '/resources/1/resource_id'),
      },
      {
        title: 'malformed members',
        request: ({ own }) =>
          create({ ...ring, resources: [{ ...as(own, 'owner'), member_since: 'x' }, { resource_type: 'both' }, 1] }),
        expect: invalidBody(
          '/resources/0/resource_type',
          '/resources/0/member_since',
          '/resources/1/resource_id',
          '/resources/2',
        ),
      },
      {
        title: 'an object instead of the list of members',
        request: () => create({ ...ring, resources: {} }),
        expect: invalidBody('/resources'),
      },
      {
        title: '501 members at once',
        request: ({ own }) => create({ ...ring, resources: Array.from({ length: 501 }, () => as(own, 'both')) }),
        expect: invalidBody('/resources'),
      },
      { title: 'an empty object', request: () => create({}), expect: invalidBody('/name', '/description') },
      {
        title: 'a null description',
        request: () => create({ ...ring, description: null }),
        expect: invalidBody('/description'),
      },
      {
        title: 'a string for public',
        request: () => create({ ...ring, public: 'yes' }),
        expect: invalidBody('/public'),
      },
      {
        title: 'a description of 2,001 characters',
        request: () => create({ ...ring, description: 'a'.repeat(2001) }),
        expect: invalidBody('/description'),
      },
      {
        title: 'a field that only the service sets',
        request: () => create({ ...ring, user_id: 'ann' }),
        expect: invalidBody('/user_id'),
      },
    ]),
    ...strangeNames((_, name) => create({ ...ring, name })),
    ...strangeTexts('/description', (_, description) => create({ ...ring, description })),
    ...strangeBodies(
      (_, body, headers) => create(body, headers),
      () => ring,
    ),
    ...onceForAKey(
      (_, body, headers) => create(body, headers),
      () => ring,
      () => ({ ...ring, name: 'another' }),
    ),
  ],

  listSwarms: [
    {
      title: 'owned and joined swarms with all fields',
      async request({ ann, invitation }) {
        await ann.accept(invitation);
        return get('/swarms');
      },
      expect: ({ swarm, home, theirSwarm, own }) => ({
        status: 200,
        body: expect.arrayContaining([
          swarm,
          home.swarm,
          { ...theirSwarm, resources: [member(own, 'consumer')] },
        ]) as object[],
        headers: { etag: /^W\/"/ },
      }),
    },
    { title: 'unknown query parameters are ignored', request: () => get('/swarms?limit=1'), expect: { status: 200 } },
    {
      title: 'a content type is ignored',
      request: () => get('/swarms', { 'content-type': 'text/plain' }),
      expect: { status: 200 },
    },
    {
      title: 'If-None-Match with the current version gets 304',
      async request({ ann }) {
        const etag = (await ann.request(get('/swarms'))).headers.get('etag')!;
        return get('/swarms', { 'if-none-match': `"other", ${etag}` });
      },
      expect: { status: 304 },
    },
    {
      title: 'an unsupported method',
      request: () => ({ method: 'PATCH', path: '/swarms', body: {} }),
      expect: allows('POST, GET, HEAD'),
    },
  ],

  getSwarm: [
    {
      title: 'as the owner: with all fields',
      request: ({ swarm }) => get(`/swarms/${swarm.id}`),
      expect: ({ swarm }) => ({ status: 200, body: swarm, headers: { etag: '"1"' } }),
    },
    {
      title: 'as a member: with all fields',
      async request({ ann, ben, invitation, theirs, later }) {
        await ben.add({ id: invitation.swarm_id }, theirs, 'producer');
        later();
        await ann.accept(invitation);
        return get(`/swarms/${invitation.swarm_id}`);
      },
      expect: ({ own, theirs }) => ({
        status: 200,
        body: { name: 'Theirs', user_id: 'ben', resources: [member(theirs, 'producer'), member(own, 'consumer')] },
      }),
    },
    {
      title: 'as an invited user: without members, with their number',
      async request({ ben, theirSwarm, theirs }) {
        await ben.add(theirSwarm, theirs);
        return get(`/swarms/${theirSwarm.id}`);
      },
      expect: { status: 200, body: { name: 'Theirs', user_id: 'ben', public: false, resources: [], member_count: 1 } },
    },
    {
      title: 'as a user who rejected the invitation',
      async request({ ann, invitation }) {
        await ann.reject(invitation);
        return get(`/swarms/${invitation.swarm_id}`);
      },
      expect: notFound('swarm'),
    },
    {
      title: 'as a user whose invitation was withdrawn',
      async request({ ben, invitation }) {
        await ben.withdraw(invitation);
        return get(`/swarms/${invitation.swarm_id}`);
      },
      expect: notFound('swarm'),
    },
    {
      title: 'as a user who has left',
      async request({ ann, own, invitation }) {
        await ann.accept(invitation);
        await ann.leave({ id: invitation.swarm_id }, own);
        return get(`/swarms/${invitation.swarm_id}`);
      },
      expect: notFound('swarm'),
    },
    {
      title: 'a public swarm as any user',
      request: async (context) => get(`/swarms/${(await publicSwarm(context)).id}`),
      expect: {
        status: 200,
        body: {
          name: 'Theirs',
          public: true,
          resources: [],
          member_count: 1,
          modified_at: expect.any(String) as string,
        },
      },
    },
    {
      title: 'a swarm that is no longer public',
      async request(context) {
        const { id } = await publicSwarm(context);
        await context.ben.change(`/swarms/${id}`, { public: false });
        return get(`/swarms/${id}`);
      },
      expect: notFound('swarm'),
    },
    {
      title: 'If-None-Match with the current version gets 304',
      request: ({ swarm }) => get(`/swarms/${swarm.id}`, { 'if-none-match': '"1"' }),
      expect: { status: 304 },
    },
    {
      title: 'a new member changes the version',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own);
        return get(`/swarms/${swarm.id}`, { 'if-none-match': '"1"' });
      },
      expect: { status: 200, headers: { etag: '"2"' } },
    },
    {
      title: 'a resource of another user that joins changes the version',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return get(`/swarms/${swarm.id}`, { 'if-none-match': '"1"' });
      },
      expect: { status: 200, headers: { etag: '"2"' } },
    },
    {
      title: 'an invitation and its rejection do not change the version',
      async request({ ann, ben, swarm, theirs }) {
        await ben.reject(await ann.invite(swarm, theirs));
        return get(`/swarms/${swarm.id}`, { 'if-none-match': '"1"' });
      },
      expect: { status: 304 },
    },
    {
      title: 'a changed role changes the version',
      async request({ ann, home: { swarm, device } }) {
        await ann.role(swarm, device, 'producer');
        return get(`/swarms/${swarm.id}`, { 'if-none-match': '"1"' });
      },
      expect: { status: 200, headers: { etag: '"2"' } },
    },
    {
      title: 'a member that leaves changes the version',
      async request({ ann, home: { swarm, device } }) {
        await ann.leave(swarm, device);
        return get(`/swarms/${swarm.id}`, { 'if-none-match': '"1"' });
      },
      expect: { status: 200, headers: { etag: '"2"' } },
    },
    {
      title: 'the deletion of a member changes the version',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own);
        await ann.destroy('resources', own);
        return get(`/swarms/${swarm.id}`, { 'if-none-match': '"2"' });
      },
      expect: ({ swarm }) => ({ status: 200, body: swarm, headers: { etag: '"3"' } }),
    },
    {
      title: 'the ETag of an invited user does not match the one of a member',
      async request({ ann, invitation }) {
        const path = `/swarms/${invitation.swarm_id}`;
        const seen = (await ann.request(get(path))).headers.get('etag')!;
        await ann.accept(invitation);
        return get(path, { 'if-none-match': seen });
      },
      expect: { status: 200 },
    },
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}`)),
    {
      title: 'an unsupported method',
      request: ({ swarm }) => post(`/swarms/${swarm.id}`, {}),
      expect: allows('GET, HEAD, PUT, DELETE'),
    },
  ],

  updateSwarm: [
    {
      title: 'one field changes, the others stay',
      request: ({ swarm }) => change(swarm, { public: true }),
      expect: ({ swarm }) => ({ status: 200, body: { ...swarm, public: true }, headers: { etag: '"2"' } }),
    },
    {
      title: 'all fields',
      request: ({ swarm }) => change(swarm, { name: 'New', description: '', public: true }),
      expect: ({ swarm }) => ({ status: 200, body: { ...swarm, name: 'New', description: '', public: true } }),
    },
    {
      title: 'an empty object changes only modified_at',
      request: ({ swarm }) => change(swarm, {}),
      expect: ({ swarm }) => ({ status: 200, body: { ...swarm, modified_at: expect.any(String) as string } }),
    },
    {
      title: 'the whole record, which was updated before',
      async request({ ann, swarm }) {
        await ann.change(`/swarms/${swarm.id}`, {});
        return change(swarm, { ...(await ann.get<Swarm>(`/swarms/${swarm.id}`)), name: 'New' });
      },
      expect: { status: 200, body: { name: 'New' } },
    },
    {
      title: 'the whole unchanged record with its members',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own);
        return change(swarm, { ...(await ann.get<Swarm>(`/swarms/${swarm.id}`)), name: 'New' });
      },
      expect: ({ own }) => ({ status: 200, body: { name: 'New', resources: [member(own, 'both')] } }),
    },
    {
      title: 'made public and listed at once',
      request: ({ swarm }) => change(swarm, { public: true, listed: true }),
      expect: ({ swarm }) => ({ status: 200, body: { ...swarm, public: true, listed: true } }),
    },
    {
      title: 'listed and made private at once',
      async request({ ann, swarm }) {
        await ann.change(`/swarms/${swarm.id}`, { public: true });
        return change(swarm, { public: false, listed: true });
      },
      expect: invalidBody('/listed'),
    },
    {
      title: 'If-Match with the current version',
      request: ({ swarm }) => change(swarm, { name: 'New' }, { 'if-match': '"7", "1"' }),
      expect: { status: 200 },
    },
    {
      title: 'If-Match: *',
      request: ({ swarm }) => change(swarm, { name: 'New' }, { 'if-match': '*' }),
      expect: { status: 200 },
    },
    {
      title: 'If-Match with the version before a member joined',
      async request({ ann, swarm, own }) {
        await ann.add(swarm, own);
        return change(swarm, { name: 'New' }, { 'if-match': '"1"' });
      },
      expect: { ...changed, headers: { etag: '"2"' } },
    },
    ...readOnlyCases([
      {
        title: 'changed read-only fields are all named',
        request: ({ swarm }) =>
          change(swarm, { id: unknownId, user_id: 'x', created_at: 'x', modified_at: 'x', resources: [1] }),
        expect: invalidBody('/id', '/user_id', '/created_at', '/modified_at', '/resources'),
      },
      {
        title: 'changed read-only fields and other errors are reported together, each once',
        request: ({ swarm }) => change(swarm, { name: '', resources: [1], id: 'x', created_at: 7 }),
        expect: invalidBody('/name', '/created_at', '/id', '/resources'),
      },
      {
        title: 'null for a required field',
        request: ({ swarm }) => change(swarm, { name: null, description: null, public: null }),
        expect: invalidBody('/name', '/description', '/public'),
      },
      {
        title: 'a private swarm cannot be listed',
        request: ({ swarm }) => change(swarm, { listed: true, name: '' }),
        expect: invalidBody('/name', '/listed'),
      },
      {
        title: 'a description of 2,001 characters',
        request: ({ swarm }) => change(swarm, { description: 'a'.repeat(2001) }),
        expect: invalidBody('/description'),
      },
      {
        title: 'If-Match with another version',
        request: ({ swarm }) => change(swarm, {}, { 'if-match': '"7"' }),
        expect: { ...changed, headers: { etag: '"1"' } },
      },
      {
        title: 'If-None-Match: *',
        request: ({ swarm }) => change(swarm, {}, { 'if-none-match': '*' }),
        expect: { ...changed, headers: { etag: '"1"' } },
      },
      {
        title: 'If-Match with a weak tag never matches',
        request: ({ swarm }) => change(swarm, {}, { 'if-match': 'W/"1"' }),
        expect: changed,
      },
      {
        title: 'an invalid body is reported before a failed If-Match',
        request: ({ swarm }) => change(swarm, { name: '' }, { 'if-match': '"7"' }),
        expect: invalidBody('/name'),
      },
      {
        title: 'an unknown id is reported before an invalid body',
        request: () => change({ id: unknownId }, '{'),
        expect: notFound('swarm'),
      },
      {
        title: 'a swarm of another user is reported before an invalid body',
        request: ({ theirSwarm }) => change(theirSwarm, '{'),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => change({ id }, {})),
    ...strangeNames(({ swarm }, name) => change(swarm, { name })),
    ...strangeTexts('/description', ({ swarm }, description) => change(swarm, { description })),
    ...strangeBodies(
      ({ swarm }, body, headers) => change(swarm, body, headers),
      () => ring,
    ),
  ],

  destroySwarm: [
    {
      title: 'a swarm of the caller',
      request: ({ swarm }) => remove(`/swarms/${swarm.id}`),
      expect: { status: 204 },
    },
    {
      title: 'a JSON body is ignored',
      request: ({ swarm }) => ({ method: 'DELETE', path: `/swarms/${swarm.id}`, body: {} }),
      expect: { status: 204 },
    },
    {
      title: 'a swarm with members and invitations',
      async request({ ann, ben, swarm, own, theirs }) {
        await ann.add(swarm, own);
        await ben.accept(await ann.invite(swarm, theirs));
        await ann.invite(swarm, theirs, 'producer');
        return remove(`/swarms/${swarm.id}`);
      },
      expect: { status: 204 },
    },
    {
      title: 'a second time: not found',
      async request({ ann, swarm }) {
        await ann.destroy('swarms', swarm);
        return remove(`/swarms/${swarm.id}`);
      },
      expect: notFound('swarm'),
    },
    {
      title: 'If-Match with the current version',
      request: ({ swarm }) => remove(`/swarms/${swarm.id}`, { 'if-match': '"1"' }),
      expect: { status: 204 },
    },
    ...readOnlyCases([
      {
        title: 'If-Match with another version',
        request: ({ swarm }) => remove(`/swarms/${swarm.id}`, { 'if-match': '"7"' }),
        expect: { ...changed, headers: { etag: '"1"' } },
      },
      {
        title: 'If-Match with a weak tag never matches',
        request: ({ swarm }) => remove(`/swarms/${swarm.id}`, { 'if-match': 'W/"1"' }),
        expect: changed,
      },
      {
        title: 'of another user',
        request: ({ theirSwarm }) => remove(`/swarms/${theirSwarm.id}`),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => remove(`/swarms/${id}`)),
  ],
};
