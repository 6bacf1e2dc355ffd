/** The cases of the links that show a resource. See `contract.cases.ts`. */
import { expect } from 'vitest';
import type { NewShareLink } from '../../contract.ts';
import { hourMs } from '../../core/limits/durations.ts';
import {
  allows,
  get,
  invalidBody,
  notFound,
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
import { origin } from '../../tests/test-server.fixture.ts';

type Named = { id: string };
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();
const ferry = () => ({ name: 'Ferry', expires_at: inHours(24) });
const create = ({ id }: Named, body: unknown, headers = {}) => post(`/resources/${id}/share-links`, body, headers);
const pathOf = ({ id }: Named, link: string) => `/resources/${id}/share-links/${link}`;
const link: Expected = notFound('share_link');
const anyUrl = expect.stringMatching(new RegExp(`^${origin}/view#[\\w-]{32}$`)) as string;
const outOfRange: Expected = { ...invalidBody('/expires_at'), faults: ['field.out_of_range'] };

/** A link of Ann's resource. */
const made = ({ ann, own }: Context, more: object = {}) =>
  ann.make<NewShareLink>(`/resources/${own.id}/share-links`, { ...ferry(), ...more });

/** Requests about a link that is not there for the caller. */
function missing(request: (context: Context, resource: Named, id: string) => ReturnType<typeof get>): Case[] {
  return [
    {
      title: 'a link that has ended',
      async request(context) {
        const { id } = await made(context);
        await context.ann.remove(pathOf(context.own, id));
        return request(context, context.own, id);
      },
      expect: link,
    },
    {
      title: 'a link of another resource of the caller',
      async request(context) {
        const { id } = await made(context);
        return request(context, context.home.device, id);
      },
      expect: link,
    },
    ...readOnlyCases([
      {
        title: 'a resource of another user',
        request: (context) => request(context, context.theirs, unknownId),
        expect: notFound('resource'),
      },
    ]),
    ...strangeIds('share_link', (context, id) => request(context, context.own, id)),
    ...strangeIds('resource', (context, id) => request(context, { id }, unknownId)),
  ];
}

export const cases: Cases = {
  createShareLink: [
    {
      title: 'of the position',
      request: ({ own }) => create(own, ferry()),
      expect: ({ own }) => ({
        status: 201,
        body: { name: 'Ferry', resource_id: own.id, shows_track: false, viewers: 0, url: anyUrl },
        headers: { location: new RegExp(`^${origin}/service/resources/${own.id}/share-links/[0-9a-f-]{36}$`) },
      }),
    },
    {
      title: 'of the track too, for 30 days',
      request: ({ own }) => create(own, { ...ferry(), shows_track: true, expires_at: inHours(30 * 24 - 1) }),
      expect: { status: 201, body: { shows_track: true } },
    },
    {
      title: 'more than 100 that have not ended',
      async request(context) {
        for (let count = 0; count < 100; count += 1) await made(context);
        return create(context.own, ferry());
      },
      expect: tooMany('share_link'),
    },
    ...readOnlyCases([
      {
        title: 'an empty object',
        request: ({ own }) => create(own, {}),
        expect: invalidBody('/name', '/expires_at'),
      },
      {
        title: 'a link that never ends',
        request: ({ own }) => create(own, { ...ferry(), expires_at: null }),
        expect: invalidBody('/expires_at'),
      },
      {
        title: 'all fields wrong',
        request: ({ own }) => create(own, { name: '', expires_at: 'soon', shows_track: 1, attempt: 'first' }),
        expect: invalidBody('/name', '/shows_track', '/expires_at', '/attempt'),
      },
      {
        title: 'messages',
        request: ({ own }) => create(own, { ...ferry(), shows_messages: true }),
        expect: invalidBody('/shows_messages'),
      },
      {
        title: 'an end in the past',
        request: ({ own }) => create(own, { ...ferry(), expires_at: '2020-01-01T00:00:00.000Z' }),
        expect: outOfRange,
      },
      {
        title: 'an end after 30 days',
        request: ({ own }) => create(own, { ...ferry(), expires_at: inHours(30 * 24 + 1) }),
        expect: outOfRange,
      },
      {
        title: 'a resource of another user',
        request: ({ theirs }) => create(theirs, ferry()),
        expect: notFound('resource'),
      },
      {
        title: 'an unsupported method',
        request: ({ own }) => put(`/resources/${own.id}/share-links`, {}),
        expect: allows('POST, GET, HEAD'),
      },
    ]),
    ...strangeNames(({ own }, name) => create(own, { ...ferry(), name })),
    ...strangeBodies(
      ({ own }, body, headers) => create(own, body, headers),
      () => ferry(),
    ),
    ...strangeIds('resource', (_context, id) => create({ id }, ferry())),
  ],

  listShareLinks: [
    {
      title: 'none',
      request: ({ own }) => get(`/resources/${own.id}/share-links`),
      expect: { status: 200, body: [] },
      isReadOnly: true,
    },
    {
      title: 'open ones without their codes, oldest first, and no ended one',
      async request(context) {
        const { ann, own, later } = context;
        const first = await made(context, { name: 'One' });
        later();
        await made(context, { name: 'Two' });
        later();
        await made(context, { name: 'Three', shows_track: true });
        await ann.remove(pathOf(own, first.id));
        return get(`/resources/${own.id}/share-links`);
      },
      expect: {
        status: 200,
        body: ['Two', 'Three'].map((name) => ({
          id: expect.any(String) as string,
          resource_id: expect.any(String) as string,
          name,
          shows_track: name === 'Three',
          expires_at: expect.any(String) as string,
          created_at: expect.any(String) as string,
          viewers: 0,
        })),
      },
    },
    ...readOnlyCases([
      {
        title: 'of a resource of another user',
        request: ({ theirs }) => get(`/resources/${theirs.id}/share-links`),
        expect: notFound('resource'),
      },
    ]),
    ...strangeIds('resource', (_context, id) => get(`/resources/${id}/share-links`)),
  ],

  updateShareLink: [
    {
      title: 'an earlier end',
      async request(context) {
        const { id } = await made(context);
        return put(pathOf(context.own, id), { expires_at: inHours(1) });
      },
      expect: { status: 200, body: { name: 'Ferry' } },
    },
    {
      title: 'a later end',
      async request(context) {
        const { id } = await made(context);
        return put(pathOf(context.own, id), { expires_at: inHours(25) });
      },
      expect: { status: 200, body: { name: 'Ferry' } },
    },
    {
      title: 'an end in more than 30 days',
      async request(context) {
        const { id } = await made(context);
        return put(pathOf(context.own, id), { expires_at: inHours(30 * 24 + 1) });
      },
      expect: outOfRange,
    },
    ...missing((_context, resource, id) => put(pathOf(resource, id), { expires_at: inHours(1) })),
    ...strangeBodies(
      ({ own }, body, headers) => put(pathOf(own, unknownId), body, headers),
      () => ({ expires_at: inHours(1) }),
    ),
  ],

  endShareLink: [
    {
      title: 'an open one',
      async request(context) {
        const { id } = await made(context);
        return remove(pathOf(context.own, id));
      },
      expect: { status: 204 },
    },
    ...missing((_context, resource, id) => remove(pathOf(resource, id))),
  ],
};
