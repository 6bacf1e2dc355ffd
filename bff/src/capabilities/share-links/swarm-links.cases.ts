/** The cases of the links that show members of a swarm. See `contract.cases.ts`. */
import { expect } from 'vitest';
import type { NewShareLink } from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import {
  get,
  invalidBody,
  notFound,
  post,
  put,
  readOnlyCases,
  remove,
  strangeBodies,
  strangeIds,
  tooMany,
  unknownId,
  type Case,
  type Cases,
  type Context,
  type Expected,
} from '../../tests/contract.cases.ts';
import { origin } from '../../tests/test-server.fixture.ts';

type Named = { id: string };
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
const race = () => ({ name: 'Race', expires_at: inHours(24) });
const listOf = ({ id }: Named) => `/swarms/${id}/share-links`;
const pathOf = (swarm: Named, link: string) => `${listOf(swarm)}/${link}`;
const link: Expected = notFound('share_link');
const made = ({ ann, home }: Context) => ann.make<NewShareLink>(listOf(home.swarm), race());

/** Requests about a link that is not there for the caller. */
function missing(request: (swarm: Named, id: string) => ReturnType<typeof get>): Case[] {
  return [
    {
      title: 'a link that has ended',
      async request(context) {
        const { id } = await made(context);
        await context.ann.remove(pathOf(context.home.swarm, id));
        return request(context.home.swarm, id);
      },
      expect: link,
    },
    {
      title: 'a link of a resource of the caller',
      async request({ ann, own, home }) {
        const { id } = await ann.make<NewShareLink>(`/resources/${own.id}/share-links`, race());
        return request(home.swarm, id);
      },
      expect: link,
    },
    ...strangeIds('share_link', ({ home }, id) => request(home.swarm, id)),
    ...strangeIds('swarm', (_context, id) => request({ id }, unknownId)),
  ];
}

export const cases: Cases = {
  createSwarmShareLink: [
    {
      title: 'of the members whose owners allow it',
      request: ({ home }) => post(listOf(home.swarm), race()),
      expect: ({ home }) => ({
        status: 201,
        body: {
          name: 'Race',
          swarm_id: home.swarm.id,
          resources: 0,
          shows_track: false,
          viewers: 0,
          url: expect.stringMatching(new RegExp(`^${origin}/view#[\\w-]{32}$`)) as string,
        },
        headers: { location: new RegExp(`^${origin}/service/swarms/${home.swarm.id}/share-links/[0-9a-f-]{36}$`) },
      }),
    },
    {
      title: 'more than 5 that have not ended',
      async request(context) {
        for (let count = 0; count < 5; count += 1) await made(context);
        return post(listOf(context.home.swarm), race());
      },
      expect: tooMany('share_link'),
    },
    ...readOnlyCases([
      {
        title: 'tracks',
        request: ({ home }) => post(listOf(home.swarm), { ...race(), shows_track: true }),
        expect: invalidBody('/shows_track'),
      },
      {
        title: 'an end after 30 days',
        request: ({ home }) => post(listOf(home.swarm), { ...race(), expires_at: inHours(30 * 24 + 1) }),
        expect: invalidBody('/expires_at'),
      },
    ]),
    ...strangeBodies(
      ({ home }, body, headers) => post(listOf(home.swarm), body, headers),
      () => race(),
    ),
    ...strangeIds('swarm', (_context, id) => post(listOf({ id }), race())),
  ],

  listSwarmShareLinks: [
    {
      title: 'open ones without their codes, with the number of devices',
      async request(context) {
        await made(context);
        return get(listOf(context.home.swarm));
      },
      expect: ({ home }) => ({
        status: 200,
        body: [
          {
            id: expect.any(String) as string,
            swarm_id: home.swarm.id,
            resources: 0,
            name: 'Race',
            shows_track: false,
            expires_at: expect.any(String) as string,
            created_at: expect.any(String) as string,
            viewers: 0,
          },
        ],
      }),
    },
    ...strangeIds('swarm', (_context, id) => get(listOf({ id }))),
  ],

  updateSwarmShareLink: [
    {
      title: 'an earlier end',
      async request(context) {
        const { id } = await made(context);
        return put(pathOf(context.home.swarm, id), { expires_at: inHours(1) });
      },
      expect: { status: 200, body: { name: 'Race' } },
    },
    {
      title: 'a later end',
      async request(context) {
        const { id } = await made(context);
        return put(pathOf(context.home.swarm, id), { expires_at: inHours(25) });
      },
      expect: { status: 200, body: { name: 'Race' } },
    },
    ...missing((swarm, id) => put(pathOf(swarm, id), { expires_at: inHours(1) })),
  ],

  endSwarmShareLink: [
    {
      title: 'an open one',
      async request(context) {
        const { id } = await made(context);
        return remove(pathOf(context.home.swarm, id));
      },
      expect: { status: 204 },
    },
    ...missing((swarm, id) => remove(pathOf(swarm, id))),
  ],
};
