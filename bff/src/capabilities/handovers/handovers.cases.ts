/** The cases of resources that are handed over. See `contract.cases.ts`. */
import { expect } from 'vitest';
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
  type Case,
  type Cases,
  type Context,
} from '../../tests/contract.cases.ts';
import type { RequestOptions } from '../../tests/test-server.fixture.ts';

type Named = { id: string };

/** What is handed over: a resource or a swarm. */
interface HandedOver {
  noun: 'resource' | 'swarm';
  /** One of Ann, who calls. */
  own: (context: Context) => Named;
  /** One of Ann that she offers to Ben, and one of Ben that he offers to her. */
  offers: (context: Context) => Promise<Named>;
  offered: (context: Context) => Promise<Named>;
  end: (of: Named) => RequestOptions;
  takeOver: (of: Named, user_id?: string) => RequestOptions;
}

const notOffered = notFound('handover');

/** Requests that end an offer or take it. */
export const handingOver = (noun: HandedOver['noun']) => ({
  noun,
  end: ({ id }: Named) => remove(`/${noun}s/${id}/handover`),
  takeOver: ({ id }: Named, user_id = 'ann') => put(`/${noun}s/${id}/owner`, { user_id }),
});

export const endOfferCases = ({ own, offers, offered, end }: HandedOver): Case[] => [
  { title: 'by the owner', request: async (context) => end(await offers(context)), expect: { status: 204 } },
  {
    title: 'by the user to whom it is offered',
    request: async (context) => end(await offered(context)),
    expect: { status: 204 },
  },
  { title: 'none', request: (context) => end(own(context)), expect: notOffered, isReadOnly: true },
];

export const takeOverCases = ({ noun, own, offered, end, takeOver }: HandedOver): Case[] => [
  {
    title: 'one that the caller is offered',
    request: async (context) => takeOver(await offered(context)),
    expect: { status: 204 },
  },
  {
    title: 'again',
    async request(context) {
      const taken = takeOver(await offered(context));
      await context.ann.request(taken);
      return taken;
    },
    expect: { status: 204 },
  },
  {
    title: `beyond the quota of ${noun}s`,
    async request(context) {
      const given = await offered(context);
      await context.fill(`${noun}s`);
      return takeOver(given);
    },
    expect: tooMany(noun),
  },
  {
    title: 'after the owner took it back',
    async request(context) {
      const given = await offered(context);
      await context.ben.request(end(given));
      return takeOver(given);
    },
    expect: notOffered,
  },
  {
    title: 'for another user',
    request: async (context) => takeOver(await offered(context), 'ben'),
    expect: forbidden(noun),
  },
  {
    title: `the caller’s ${noun}`,
    request: (context) => takeOver(own(context)),
    expect: { status: 204 },
    isReadOnly: true,
  },
  ...strangeBodies(
    (context, body, headers) => put(`/${noun}s/${own(context).id}/owner`, body, headers),
    () => ({ user_id: 'ann' }),
  ),
];

const offer = ({ id }: Named, user_id: unknown, more: object = {}) =>
  put(`/resources/${id}/handover`, { user_id, ...more });
const read = ({ id }: Named) => get(`/resources/${id}/handover`);
const anyTime = expect.stringMatching(/Z$/) as string;

const device: HandedOver = {
  ...handingOver('resource'),
  own: ({ own }) => own,
  async offers({ ann, own }) {
    await ann.offerDevice(own, 'ben');
    return own;
  },
  async offered({ ben }) {
    const given = await ben.device({ name: 'Offered' });
    expect((await ben.offerDevice(given, 'ann')).status).toBe(200);
    return given;
  },
};

export const cases: Cases = {
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
      request: async (context) => read(await device.offered(context)),
      expect: notFound('resource'),
    },
    { title: 'none', request: ({ own }) => read(own), expect: { status: 204 }, isReadOnly: true },
    ...strangeIds('resource', (_context, id) => read({ id })),
  ],

  endResourceOffer: [
    ...endOfferCases(device),
    {
      title: 'an offer between two others',
      async request({ ben, theirs }) {
        await ben.offerDevice(theirs, 'cleo');
        return device.end(theirs);
      },
      expect: notOffered,
    },
    ...strangeIds('handover', (_context, id) => device.end({ id })),
  ],

  takeOverResource: [
    ...takeOverCases(device),
    {
      title: 'a resource of another user',
      request: ({ theirs }) => device.takeOver(theirs),
      expect: notOffered,
      isReadOnly: true,
    },
    ...strangeIds('handover', (_context, id) => device.takeOver({ id })),
  ],
};
