/** The cases of what users are offered, and of swarms that are handed over. See `contract.cases.ts`. */
import { expect } from 'vitest';
import {
  forbidden,
  get,
  invalidBody,
  put,
  readOnlyCases,
  strangeBodies,
  strangeIds,
  tooMany,
  type Cases,
  type Context,
} from '../../tests/contract.cases.ts';
import { endOfferCases, handingOver, takeOverCases } from './handovers.cases.ts';

type Named = { id: string };
const anyTime = expect.stringMatching(/Z$/) as string;
/** A swarm of Ben's that he offers to Ann. */
async function offered({ ann, ben }: Context): Promise<Named> {
  const swarm = await ben.swarm({ name: 'Offered' });
  await ben.nameManager(swarm, 'ann');
  expect((await ann.agree(swarm, 'ann')).status).toBe(200);
  expect((await ben.offerSwarm(swarm, 'ann')).status).toBe(200);
  return swarm;
}
/** A swarm of Ann's that Ben manages. */
async function managed({ ann, ben }: Context): Promise<Named> {
  const swarm = await ann.swarm();
  await ann.nameManager(swarm, 'ben');
  expect((await ben.agree(swarm, 'ben')).status).toBe(200);
  return swarm;
}
const offer = ({ id }: Named, user_id: string) => put(`/swarms/${id}/handover`, { user_id });
const handed = {
  ...handingOver('swarm'),
  own: ({ swarm }: Context) => swarm,
  async offers(context: Context) {
    const swarm = await managed(context);
    await context.ann.offerSwarm(swarm, 'ben');
    return swarm;
  },
  offered,
};
const noManagerThere = { status: 409, code: 'handover.no_manager' };

export const cases: Cases = {
  listOffers: [
    { title: 'none', request: () => get('/offers'), expect: { status: 200, body: [] }, isReadOnly: true },
    {
      title: 'a private swarm that the caller is asked to manage',
      async request({ ben }) {
        await ben.nameManager(await ben.swarm({ name: 'Asked' }), 'ann');
        return get('/offers');
      },
      expect: {
        status: 200,
        body: [
          {
            role: 'manager',
            offered_at: anyTime,
            swarm: expect.objectContaining({
              name: 'Asked',
              user_id: 'ben',
              access: 'summary',
              member_count: 0,
            }) as object,
          },
        ],
      },
    },
    {
      title: 'a swarm that the caller is offered',
      async request(context) {
        await offered(context);
        return get('/offers');
      },
      expect: {
        status: 200,
        body: [{ role: 'owner', offered_at: anyTime, swarm: expect.objectContaining({ name: 'Offered' }) as object }],
      },
    },
    {
      title: 'a device that the caller is offered',
      async request({ ben }) {
        const device = await ben.device({ name: 'Offered', keep_track: true });
        await ben.offerDevice(device, 'ann', true);
        return get('/offers');
      },
      expect: {
        status: 200,
        body: [
          {
            role: 'owner',
            offered_at: anyTime,
            with_history: true,
            resource: {
              id: expect.any(String) as string,
              user_id: 'ben',
              name: 'Offered',
              machine_type: 'bug',
              keep_track: true,
            },
          },
        ],
      },
    },
    {
      title: 'after agreeing',
      async request({ ann, ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann');
        await ann.agree(theirSwarm, 'ann');
        return get('/offers');
      },
      expect: { status: 200, body: [] },
    },
  ],

  offerSwarm: [
    {
      title: 'to a manager, twice',
      async request(context) {
        const swarm = await managed(context);
        await context.ann.offerSwarm(swarm, 'ben');
        return offer(swarm, 'ben');
      },
      expect: { status: 200, body: { user_id: 'ben', role: 'manager', status: 'agreed', offered_at: anyTime } },
    },
    {
      title: 'to a user who has not agreed',
      async request({ ann, swarm }) {
        await ann.nameManager(swarm, 'ben');
        return offer(swarm, 'ben');
      },
      expect: noManagerThere,
    },
    {
      title: 'by a manager',
      request: async (context) => offer(await offered(context), 'ann'),
      expect: forbidden('swarm'),
    },
    ...readOnlyCases([
      { title: 'to a user who is no manager', request: ({ swarm }) => offer(swarm, 'ben'), expect: noManagerThere },
      { title: 'to the caller', request: ({ swarm }) => offer(swarm, 'ann'), expect: noManagerThere },
      { title: 'to an invalid name', request: ({ swarm }) => offer(swarm, 'Ben'), expect: invalidBody('/user_id') },
    ]),
    ...strangeBodies(
      ({ swarm }, body, headers) => put(`/swarms/${swarm.id}/handover`, body, headers),
      () => ({ user_id: 'ben' }),
    ),
    ...strangeIds('swarm', (_context, id) => offer({ id }, 'ben')),
  ],

  endSwarmOffer: [...endOfferCases(handed), ...strangeIds('swarm', (_context, id) => handed.end({ id }))],

  takeOverSwarm: [
    ...takeOverCases(handed),
    {
      title: 'beyond the quota of open invitations',
      async request(context) {
        const swarm = await offered(context);
        await context.fill('invitations');
        await context.ben.invite(swarm, context.own);
        return handed.takeOver(swarm);
      },
      expect: tooMany('invitation'),
    },
    {
      title: 'a swarm of another user',
      request: ({ theirSwarm }) => handed.takeOver(theirSwarm),
      expect: forbidden('swarm'),
      isReadOnly: true,
    },
    ...strangeIds('swarm', (_context, id) => handed.takeOver({ id })),
  ],
};
