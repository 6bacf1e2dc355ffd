import { expect } from 'vitest';
import type { JoinOffer } from '../../contract.ts';
import {
  allows,
  forbidden,
  get,
  invalidBody,
  notFound,
  onceForAKey,
  post,
  put,
  readOnlyCases,
  remove,
  strangeBodies,
  strangeIds,
  strangeNames,
  tooMany,
  unknownId,
  type Case,
  type Cases,
  type Context,
  type Expected,
} from '../../tests/contract.cases.ts';
import { opening } from '../../tests/service-client.fixture.ts';
import { origin } from '../../tests/test-server.fixture.ts';

type Named = { id: string };
const create = ({ id }: Named, body: unknown, headers = {}) => post(`/swarms/${id}/links`, body, headers);
const join = ({ id, pass }: Pick<JoinOffer, 'id' | 'pass'>, { id: resource_id }: Named, more: object = {}) =>
  post(`/links/${id}/resources`, { pass, resource_id, ...more });
const workshop = { name: 'Workshop', resource_type: 'consumer' };
const later = '2100-01-01T00:00:00.000Z';
const link: Expected = notFound('link');
const anyUrl = expect.stringMatching(new RegExp(`^${origin}/join/[\\w-]{43}$`)) as string;

/** Ann opens a link of Ben's swarm. */
async function offerTo({ ann, ben, theirSwarm }: Context, more: object = {}): Promise<JoinOffer> {
  return ann.open(await ben.link(theirSwarm, more));
}

/** Requests for a link that cannot be used any more. `usable`: the status for one that can. */
function unusable(
  usable: number,
  request: (context: Context, found: { url: string } & JoinOffer) => ReturnType<typeof get>,
): Case[] {
  const offered = async (context: Context, more: object = {}) => {
    const made = await context.ben.link(context.theirSwarm, more);
    return { made, offer: { ...(await context.ann.open(made)), url: made.url } };
  };
  return [
    {
      title: 'a link that has ended',
      async request(context) {
        const { made, offer } = await offered(context);
        await context.ben.endLink(made);
        return request(context, offer);
      },
      expect: link,
    },
    {
      title: 'a link that is used up',
      async request(context) {
        const { offer } = await offered(context, { max_resources: 1 });
        expect((await context.ann.join(offer, context.home.device)).status).toBe(201);
        return request(context, offer);
      },
      expect: link,
    },
    {
      title: 'a link of a swarm that was deleted',
      async request(context) {
        const { offer } = await offered(context);
        await context.ben.destroy('swarms', context.theirSwarm);
        return request(context, offer);
      },
      expect: link,
    },
    {
      title: 'a link of another swarm is not affected',
      async request(context) {
        const { made } = await offered(context);
        await context.ben.endLink(made);
        return request(context, (await offered(context)).offer);
      },
      expect: { status: usable },
    },
  ];
}

export const cases: Cases = {
  createJoinLink: [
    {
      title: 'without limits',
      request: ({ swarm }) => create(swarm, workshop),
      expect: ({ swarm }) => ({
        status: 201,
        body: { ...workshop, swarm_id: swarm.id, joined: 0, url: anyUrl },
        headers: { location: new RegExp(`^${origin}/service/swarms/${swarm.id}/links/[0-9a-f-]{36}$`) },
      }),
    },
    {
      title: 'with all limits',
      request: ({ swarm }) =>
        create(swarm, { name: '🐝'.repeat(128), resource_type: 'both', expires_at: later, max_resources: 100_000 }),
      expect: { status: 201, body: { resource_type: 'both', expires_at: later, max_resources: 100_000 } },
    },
    {
      title: 'more than 100 that have not ended',
      async request({ ann, swarm }) {
        for (let count = 0; count < 100; count += 1) await ann.link(swarm);
        return create(swarm, workshop);
      },
      expect: tooMany('link'),
    },
    ...onceForAKey(
      ({ swarm }, body, headers) => create(swarm, body, headers),
      () => workshop,
      () => ({ ...workshop, name: 'Other' }),
    ),
    ...readOnlyCases([
      {
        title: 'an empty object',
        request: ({ swarm }) => create(swarm, {}),
        expect: invalidBody('/name', '/resource_type'),
      },
      {
        title: 'all fields wrong',
        request: ({ swarm }) =>
          create(swarm, { name: '', resource_type: 'owner', expires_at: 'soon', max_resources: 0 }),
        expect: invalidBody('/name', '/resource_type', '/expires_at', '/max_resources'),
      },
      {
        title: 'a day that does not exist, and half a resource',
        request: ({ swarm }) =>
          create(swarm, { ...workshop, expires_at: '2100-02-31T00:00:00.000Z', max_resources: 1.5 }),
        expect: invalidBody('/expires_at', '/max_resources'),
      },
      {
        title: 'an end in the past',
        request: ({ swarm }) => create(swarm, { ...workshop, expires_at: '2020-01-01T00:00:00.000Z' }),
        expect: { ...invalidBody('/expires_at'), faults: ['field.out_of_range'] },
      },
      {
        title: 'more resources than a swarm can have',
        request: ({ swarm }) => create(swarm, { ...workshop, max_resources: 100_001 }),
        expect: invalidBody('/max_resources'),
      },
      {
        title: 'a swarm of another user, to which the caller is invited',
        request: ({ theirSwarm }) => create(theirSwarm, workshop),
        expect: forbidden('swarm'),
      },
      {
        title: 'an unsupported method',
        request: ({ swarm }) => put(`/swarms/${swarm.id}/links`, {}),
        expect: allows('POST, GET, HEAD'),
      },
    ]),
    ...strangeNames(({ swarm }, name) => create(swarm, { ...workshop, name })),
    ...strangeBodies(
      ({ swarm }, body, headers) => create(swarm, body, headers),
      () => workshop,
    ),
    ...strangeIds('swarm', (_context, id) => create({ id }, workshop)),
  ],

  listJoinLinks: [
    {
      title: 'none',
      request: ({ swarm }) => get(`/swarms/${swarm.id}/links`),
      expect: { status: 200, body: [] },
      isReadOnly: true,
    },
    {
      title: 'open and ended ones, oldest first, with how many have joined',
      async request({ ann, ben, swarm, theirs, later: wait }) {
        const one = await ann.link(swarm, { name: 'One', max_resources: 3 });
        wait();
        await ann.link(swarm, { name: 'Two' });
        await ben.join(await ben.open(one), theirs);
        await ann.endLink(one);
        return get(`/swarms/${swarm.id}/links`);
      },
      expect: {
        status: 200,
        body: [
          expect.objectContaining({ name: 'One', joined: 1, max_resources: 3, ended_at: expect.any(String) as string }),
          expect.objectContaining({ name: 'Two', joined: 0 }),
        ],
      },
    },
    ...readOnlyCases([
      {
        title: 'of a swarm of another user, to which the caller is invited',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/links`),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', (_context, id) => get(`/swarms/${id}/links`)),
  ],

  endJoinLink: [
    {
      title: 'a link, twice',
      async request({ ann, swarm }) {
        const made = await ann.link(swarm);
        await ann.endLink(made);
        return remove(`/swarms/${swarm.id}/links/${made.id}`);
      },
      expect: { status: 204 },
    },
    {
      title: 'a link of another swarm of the caller',
      async request({ ann, swarm, home }) {
        const made = await ann.link(home.swarm);
        return remove(`/swarms/${swarm.id}/links/${made.id}`);
      },
      expect: link,
    },
    ...strangeIds('link', ({ swarm }, id) => remove(`/swarms/${swarm.id}/links/${id}`)),
    ...strangeIds('swarm', (_context, id) => remove(`/swarms/${id}/links/${unknownId}`)),
  ],

  openJoinLink: [
    {
      title: 'of a private swarm',
      request: async ({ ben, theirSwarm }) =>
        get(opening(await ben.link(theirSwarm, { max_resources: 5, expires_at: later }))),
      expect: ({ theirSwarm: { id, name, description, created_at } }) => ({
        status: 200,
        body: {
          resource_type: 'consumer',
          resources_left: 5,
          expires_at: later,
          swarm: {
            id,
            name,
            description,
            created_at,
            user_id: 'ben',
            public: false,
            access: 'summary',
            resources: [],
            member_count: 0,
          },
        },
      }),
    },
    ...unusable(200, (_context, { url }) => get(opening({ url }))),
    {
      title: 'a code with another last character',
      async request({ ben, theirSwarm }) {
        const path = opening(await ben.link(theirSwarm));
        return get(path.slice(0, -2) + (path.at(-2) === 'A' ? 'B' : 'A') + path.at(-1));
      },
      expect: link,
    },
    {
      title: 'the pass instead of the code',
      request: async (context) => get(opening({ url: `/${(await offerTo(context)).pass}` })),
      expect: link,
    },
    ...readOnlyCases([
      {
        title: 'no code',
        request: () => get('/links'),
        expect: { status: 400, code: 'query.invalid', pointers: ['?code'] },
      },
      ...['', 'x', 'a'.repeat(43), '%00', '🐝', unknownId].map((code) => ({
        title: `the code "${code}"`,
        request: () => get(`/links?code=${encodeURIComponent(code)}`),
        expect: link,
      })),
    ]),
  ],

  joinByLink: [
    {
      title: 'a resource of the caller',
      request: async (context) => join(await offerTo(context), context.own),
      expect: ({ own, theirSwarm }) => ({
        status: 201,
        body: {
          resource_id: own.id,
          resource_type: 'consumer',
          user_id: 'ann',
          url: `${origin}/service/resources/${own.id}`,
        },
        headers: { location: `${origin}/service/swarms/${theirSwarm.id}/resources/${own.id}` },
      }),
    },
    {
      title: 'the other role of a member',
      async request(context) {
        await context.ann.accept(context.invitation);
        return join(await offerTo(context, { resource_type: 'both' }), context.own);
      },
      expect: { status: 201, body: { resource_type: 'both' } },
    },
    {
      title: 'a member with this role',
      async request(context) {
        await context.ann.accept(context.invitation);
        return join(await offerTo(context), context.own);
      },
      expect: { status: 409, code: 'membership.exists' },
    },
    {
      title: 'beyond the quota of the swarm',
      async request(context) {
        const { fill, theirSwarm, own } = context;
        const offer = await offerTo(context);
        await fill({ swarm: theirSwarm });
        return join(offer, own);
      },
      expect: tooMany('membership'),
    },
    {
      title: 'the caller’s own swarm',
      request: async ({ ann, swarm, own }) => join(await ann.open(await ann.link(swarm)), own),
      expect: { status: 409, code: 'link.own_swarm' },
    },
    ...unusable(201, (context, offer) => join(offer, context.own)),
    {
      title: 'the pass of another user',
      async request({ ann, ben, swarm, own }) {
        return join(await ben.open(await ann.link(swarm)), own);
      },
      expect: link,
    },
    {
      title: 'the pass of another link',
      async request(context) {
        const { pass } = await offerTo(context);
        return join({ ...(await offerTo(context)), pass }, context.own);
      },
      expect: link,
    },
    {
      title: 'a resource of another user',
      request: async (context) => join(await offerTo(context), context.theirs),
      expect: invalidBody('/resource_id'),
    },
    {
      title: 'a resource of another user that is a member',
      async request(context) {
        await context.ben.add(context.theirSwarm, context.theirs);
        return join(await offerTo(context), context.theirs);
      },
      expect: invalidBody('/resource_id'),
    },
    {
      title: 'a malformed resource',
      request: async (context) => join(await offerTo(context), { id: 'x' }),
      expect: invalidBody('/resource_id'),
    },
    {
      title: 'the same Idempotency-Key with the same body',
      async request(context) {
        const { ann, own } = context;
        const asked = { ...join(await offerTo(context), own), headers: { 'idempotency-key': own.id } };
        await ann.request(asked);
        return asked;
      },
      expect: { status: 201, body: { resource_type: 'consumer' } },
    },
    ...readOnlyCases([
      {
        title: 'an empty object',
        request: () => post(`/links/${unknownId}/resources`, {}),
        expect: invalidBody('/pass', '/resource_id'),
      },
      ...['', 'x', 'a'.repeat(22), '🐝'].map((pass) => ({
        title: `the pass "${pass}"`,
        request: ({ own }: Context) => join({ id: unknownId, pass }, own),
        expect: link,
      })),
    ]),
    ...strangeBodies(
      (_context, body, headers) => post(`/links/${unknownId}/resources`, body, headers),
      ({ own }) => ({ pass: 'x', resource_id: own.id }),
    ),
    ...strangeIds('link', ({ own }, id) => join({ id, pass: 'x' }, own)),
  ],
};
