/** The cases of resources that are handed over. See `contract.cases.ts`. */
import { expect } from 'vitest';
import type { Resource } from '../contract.ts';
import {
  allows,
  forbidden,
  get,
  invalidBody,
  notFound,
  put,
  readOnlyCases,
  remove,
  strangeBodies,
  strangeIds,
  tooMany,
  type Cases,
  type Context,
} from './contract.cases.ts';

type Named = { id: string };
const offer = ({ id }: Named, user_id: unknown, more: object = {}) =>
  put(`/resources/${id}/handover`, { user_id, ...more });
const read = ({ id }: Named) => get(`/resources/${id}/handover`);
const end = ({ id }: Named) => remove(`/resources/${id}/handover`);
const takeOver = ({ id }: Named, user_id = 'ann') => put(`/resources/${id}/owner`, { user_id });
const anyTime = expect.stringMatching(/Z$/) as string;
const notOffered = notFound('handover');

/** A resource of Ben's that he offers to Ann. */
async function offered({ ben }: Context, more: object = {}): Promise<Resource> {
  const device = await ben.device({ name: 'Offered', ...more });
  expect((await ben.offerDevice(device, 'ann')).status).toBe(200);
  return device;
}

export const handoverCases: Cases = {
  offerResource: [
    {
      title: 'without its history',
      request: ({ own }) => offer(own, 'ben'),
      expect: ({ own }) => ({
        status: 200,
        body: { resource_id: own.id, user_id: 'ben', with_history: false, offered_at: anyTime },
      }),
    },
    {
      title: 'with its history, to a name that nobody has',
      request: ({ own }) => offer(own, 'nobody', { with_history: true }),
      expect: { status: 200, body: { user_id: 'nobody', with_history: true } },
    },
    {
      title: 'to another user',
      async request({ ann, own }) {
        await ann.offerDevice(own, 'ben');
        return offer(own, 'cleo');
      },
      expect: { status: 200, body: { user_id: 'cleo' } },
    },
    {
      title: 'more than 100 to one user',
      async request({ ann, own }) {
        for (let count = 0; count < 100; count += 1) await ann.offerDevice(await ann.device(), 'ben');
        return offer(own, 'ben');
      },
      expect: tooMany('handover'),
    },
    ...readOnlyCases([
      {
        title: 'to the caller',
        request: ({ own }) => offer(own, 'ann'),
        expect: { status: 409, code: 'handover.own_resource' },
      },
      { title: 'to an invalid name', request: ({ own }) => offer(own, 'Ben'), expect: invalidBody('/user_id') },
      {
        title: 'all fields wrong',
        request: ({ own }) => offer(own, 1, { with_history: 'yes' }),
        expect: invalidBody('/user_id', '/with_history'),
      },
      {
        title: 'a resource of another user',
        request: ({ theirs }) => offer(theirs, 'cleo'),
        expect: notFound('resource'),
      },
      {
        title: 'an unsupported method',
        request: ({ own }) => ({ ...offer(own, 'ben'), method: 'POST' }),
        expect: allows('PUT, GET, HEAD, DELETE'),
      },
    ]),
    ...strangeBodies(
      ({ own }, body, headers) => put(`/resources/${own.id}/handover`, body, headers),
      () => ({ user_id: 'ben' }),
    ),
    ...strangeIds('resource', (_context, id) => offer({ id }, 'ben')),
  ],

  readHandover: [
    {
      title: 'an offer',
      async request({ ann, own }) {
        await ann.offerDevice(own, 'ben', true);
        return read(own);
      },
      expect: { status: 200, body: { user_id: 'ben', with_history: true, offered_at: anyTime } },
    },
    {
      title: 'an offer to the caller',
      request: async (context) => read(await offered(context)),
      expect: notFound('resource'),
    },
    { title: 'none', request: ({ own }) => read(own), expect: notOffered, isReadOnly: true },
    ...strangeIds('resource', (_context, id) => read({ id })),
  ],

  endResourceOffer: [
    {
      title: 'by the owner',
      async request({ ann, own }) {
        await ann.offerDevice(own, 'ben');
        return end(own);
      },
      expect: { status: 204 },
    },
    {
      title: 'by the user to whom it is offered',
      request: async (context) => end(await offered(context)),
      expect: { status: 204 },
    },
    {
      title: 'an offer between two others',
      async request({ ben, theirs }) {
        await ben.offerDevice(theirs, 'cleo');
        return end(theirs);
      },
      expect: notOffered,
    },
    { title: 'none', request: ({ own }) => end(own), expect: notOffered, isReadOnly: true },
    ...strangeIds('handover', (_context, id) => end({ id })),
  ],

  takeOverResource: [
    {
      title: 'a resource that the caller is offered',
      request: async (context) => takeOver(await offered(context)),
      expect: { status: 204 },
    },
    {
      title: 'again',
      async request(context) {
        const device = await offered(context);
        await context.ann.takeOverDevice(device, 'ann');
        return takeOver(device);
      },
      expect: { status: 204 },
    },
    {
      title: 'beyond the quota of resources',
      async request(context) {
        const device = await offered(context);
        await context.fill('resources');
        return takeOver(device);
      },
      expect: tooMany('resource'),
    },
    {
      title: 'after the owner took it back',
      async request(context) {
        const device = await offered(context);
        await context.ben.endDeviceOffer(device);
        return takeOver(device);
      },
      expect: notOffered,
    },
    {
      title: 'for another user',
      request: async (context) => takeOver(await offered(context), 'ben'),
      expect: forbidden('resource'),
    },
    ...readOnlyCases([
      { title: 'the caller’s resource', request: ({ own }) => takeOver(own), expect: { status: 204 } },
      { title: 'a resource of another user', request: ({ theirs }) => takeOver(theirs), expect: notOffered },
    ]),
    ...strangeBodies(
      ({ own }, body, headers) => put(`/resources/${own.id}/owner`, body, headers),
      () => ({ user_id: 'ann' }),
    ),
    ...strangeIds('handover', (_context, id) => takeOver({ id })),
  ],
};
