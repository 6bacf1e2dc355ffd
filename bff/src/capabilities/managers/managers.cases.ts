import { expect } from 'vitest';
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
  tooMany,
  type Cases,
} from '../../tests/contract.cases.ts';
import { origin } from '../../tests/test-server.fixture.ts';

type Named = { id: string };
const name = ({ id }: Named, user_id: unknown, headers = {}) => post(`/swarms/${id}/managers`, { user_id }, headers);
const path = ({ id }: Named, user: string) => `/swarms/${id}/managers/${user}`;
const agree = (swarm: Named, user = 'ann') => put(path(swarm, user), { status: 'agreed' });
/** Some days before the last possible one. */
const farEnd = (days = 0) =>
  new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 300 + days)).toISOString();
const setEnd = (swarm: Named, user: string, ends_at: string | null = farEnd()) =>
  put(`${path(swarm, user)}/end`, { ends_at });
const anyTime = expect.stringMatching(/Z$/) as string;
const noManager = notFound('manager');

export const cases: Cases = {
  nameManager: [
    {
      title: 'a user',
      request: ({ swarm }) => name(swarm, 'ben'),
      expect: ({ swarm }) => ({
        status: 201,
        body: { swarm_id: swarm.id, user_id: 'ben', role: 'manager', status: 'asked' },
        headers: { location: `${origin}/service/swarms/${swarm.id}/managers/ben` },
      }),
    },
    {
      title: 'a user name that nobody has',
      request: ({ swarm }) => name(swarm, 'nobody'),
      expect: { status: 201, body: { user_id: 'nobody', status: 'asked' } },
    },
    {
      title: 'a user who was asked, later',
      async request({ ann, swarm, later }) {
        await ann.nameManager(swarm, 'ben');
        later();
        return name(swarm, 'ben');
      },
      expect: { status: 201, body: { status: 'asked' } },
    },
    {
      title: 'a manager',
      async request({ ann, ben, swarm }) {
        await ann.nameManager(swarm, 'ben');
        await ben.agree(swarm, 'ben');
        return name(swarm, 'ben');
      },
      expect: { status: 409, code: 'manager.exists' },
    },
    {
      title: 'a watcher',
      request: ({ swarm }) => post(`/swarms/${swarm.id}/managers`, { user_id: 'ben', role: 'watcher' }),
      expect: { status: 201, body: { user_id: 'ben', role: 'watcher', status: 'asked' } },
    },
    {
      title: 'a watcher who was asked to manage the swarm',
      async request({ ann, swarm }) {
        await ann.nameManager(swarm, 'ben');
        return post(`/swarms/${swarm.id}/managers`, { user_id: 'ben', role: 'watcher' });
      },
      expect: { status: 409, code: 'manager.exists' },
    },
    {
      title: 'more than 20 of a swarm',
      async request({ ann, swarm }) {
        for (let count = 0; count < 20; count += 1) await ann.nameManager(swarm, `user-${count}`);
        return name(swarm, 'ben');
      },
      expect: tooMany('manager'),
    },
    {
      title: 'more than five of a user who does not answer',
      async request({ ann, swarm }) {
        for (let count = 0; count < 5; count += 1) await ann.nameManager(await ann.swarm({ name: `${count}` }), 'ben');
        return name(swarm, 'ben');
      },
      expect: { status: 409, code: 'manager.too_many_unanswered' },
    },
    ...onceForAKey(
      ({ swarm }, body, headers) => post(`/swarms/${swarm.id}/managers`, body, headers),
      () => ({ user_id: 'ben' }),
      () => ({ user_id: 'cleo' }),
    ),
    ...readOnlyCases([
      {
        title: 'the caller',
        request: ({ swarm }) => name(swarm, 'ann'),
        expect: { status: 409, code: 'manager.own_swarm' },
      },
      { title: 'no user', request: ({ swarm }) => name(swarm, undefined), expect: invalidBody('/user_id') },
      {
        title: 'an unknown role',
        request: ({ swarm }) => post(`/swarms/${swarm.id}/managers`, { user_id: 'ben', role: 'owner' }),
        expect: invalidBody('/role'),
      },
      ...['', 'be', 'Ben', 'a'.repeat(33), 'ann ', 1, null].map((user) => ({
        title: `the user name ${JSON.stringify(user)}`,
        request: ({ swarm }: { swarm: Named }) => name(swarm, user),
        expect: invalidBody('/user_id'),
      })),
      {
        title: 'for a swarm of another user',
        request: ({ theirSwarm }) => name(theirSwarm, 'ann'),
        expect: forbidden('swarm'),
      },
      {
        title: 'PATCH',
        request: ({ swarm }) => ({ ...name(swarm, 'ben'), method: 'PATCH' }),
        expect: allows('POST, GET, HEAD'),
      },
    ]),
    ...strangeBodies(
      ({ swarm }, body, headers) => post(`/swarms/${swarm.id}/managers`, body, headers),
      () => ({ user_id: 'ben' }),
    ),
    ...strangeIds('swarm', (_context, id) => name({ id }, 'ben')),
  ],

  listManagers: [
    {
      title: 'none',
      request: ({ swarm }) => get(`/swarms/${swarm.id}/managers`),
      expect: { status: 200, body: [] },
      isReadOnly: true,
    },
    {
      title: 'a manager and a user who was asked',
      async request({ ann, ben, swarm, later }) {
        await ann.nameManager(swarm, 'ben');
        await ben.agree(swarm, 'ben');
        later();
        await ann.nameManager(swarm, 'cleo');
        return get(`/swarms/${swarm.id}/managers`);
      },
      expect: ({ swarm: { id: swarm_id } }) => ({
        status: 200,
        body: [
          { swarm_id, user_id: 'ben', role: 'manager', status: 'agreed', asked_at: anyTime, agreed_at: anyTime },
          { swarm_id, user_id: 'cleo', role: 'manager', status: 'asked', asked_at: anyTime },
        ],
      }),
    },
    ...strangeIds('swarm', (_context, id) => get(`/swarms/${id}/managers`)),
  ],

  agreeToManage: [
    {
      title: 'a user who was asked',
      async request({ ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann');
        return agree(theirSwarm);
      },
      expect: { status: 200, body: { user_id: 'ann', status: 'agreed' } },
    },
    {
      title: 'again',
      async request({ ann, ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann');
        await ann.agree(theirSwarm, 'ann');
        return agree(theirSwarm);
      },
      expect: { status: 200, body: { status: 'agreed' } },
    },
    {
      title: 'another user of the caller’s swarm',
      async request({ ann, swarm }) {
        await ann.nameManager(swarm, 'ben');
        return agree(swarm, 'ben');
      },
      expect: forbidden('swarm'),
    },
    {
      title: 'after the owner took it back',
      async request({ ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann');
        await ben.removeManager(theirSwarm, 'ann');
        return agree(theirSwarm);
      },
      expect: noManager,
    },
    ...readOnlyCases([
      { title: 'a user who was not asked', request: ({ theirSwarm }) => agree(theirSwarm), expect: noManager },
      { title: 'the owner', request: ({ swarm }) => agree(swarm), expect: noManager },
      {
        title: 'another status',
        request: ({ theirSwarm }) => put(path(theirSwarm, 'ann'), { status: 'asked' }),
        expect: invalidBody('/status'),
      },
    ]),
    ...strangeBodies(
      ({ theirSwarm }, body, headers) => put(path(theirSwarm, 'ann'), body, headers),
      () => ({ status: 'agreed' }),
    ),
    ...strangeIds('swarm', (_context, id) => agree({ id })),
  ],

  setWatcherEnd: [
    {
      title: 'by the owner of the swarm',
      async request({ ann, swarm }) {
        await ann.nameManager(swarm, 'ben', 'watcher');
        return setEnd(swarm, 'ben');
      },
      expect: { status: 200, body: { user_id: 'ben', role: 'watcher', status: 'asked', ends_at: farEnd() } },
    },
    {
      title: 'to none',
      async request({ ann, swarm }) {
        await ann.nameManager(swarm, 'ben', 'watcher');
        await ann.change(`${path(swarm, 'ben')}/end`, { ends_at: farEnd() });
        return setEnd(swarm, 'ben', null);
      },
      expect: {
        status: 200,
        body: { user_id: 'ben', role: 'watcher', status: 'asked' },
      },
    },
    {
      title: 'by the watcher, later than the owner has offered',
      async request({ ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann', 'watcher');
        await ben.change(`${path(theirSwarm, 'ann')}/end`, { ends_at: farEnd(-1) });
        return setEnd(theirSwarm, 'ann');
      },
      expect: invalidBody('/ends_at'),
    },
    {
      title: 'of a manager',
      async request({ ann, swarm }) {
        await ann.nameManager(swarm, 'ben');
        return setEnd(swarm, 'ben');
      },
      expect: noManager,
    },
    ...readOnlyCases([
      { title: 'of a user who was not named', request: ({ swarm }) => setEnd(swarm, 'ben'), expect: noManager },
      {
        title: 'of another watcher',
        request: ({ theirSwarm }) => setEnd(theirSwarm, 'cleo'),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', (_context, id) => setEnd({ id }, 'ann')),
  ],

  removeManager: [
    {
      title: 'a user who was asked, by the owner',
      async request({ ann, swarm }) {
        await ann.nameManager(swarm, 'ben');
        return remove(path(swarm, 'ben'));
      },
      expect: { status: 204 },
    },
    {
      title: 'a manager, by the owner',
      async request({ ann, ben, swarm }) {
        await ann.nameManager(swarm, 'ben');
        await ben.agree(swarm, 'ben');
        return remove(path(swarm, 'ben'));
      },
      expect: { status: 204 },
    },
    {
      title: 'the caller, who was asked',
      async request({ ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann');
        return remove(path(theirSwarm, 'ann'));
      },
      expect: { status: 204 },
    },
    {
      title: 'the caller, who is a manager',
      async request({ ann, ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann');
        await ann.agree(theirSwarm, 'ann');
        return remove(path(theirSwarm, 'ann'));
      },
      expect: { status: 204 },
    },
    {
      title: 'another manager, by a manager',
      async request({ ann, ben, theirSwarm }) {
        await ben.nameManager(theirSwarm, 'ann');
        await ann.agree(theirSwarm, 'ann');
        await ben.nameManager(theirSwarm, 'cleo');
        return remove(path(theirSwarm, 'cleo'));
      },
      expect: forbidden('swarm'),
    },
    ...readOnlyCases(
      ['ben', 'ann', '%20', 'a'.repeat(200)].map((user) => ({
        title: `"${user}", who was not asked`,
        request: ({ swarm }: { swarm: Named }) => remove(path(swarm, user)),
        expect: noManager,
      })),
    ),
    ...strangeIds('swarm', (_context, id) => remove(path({ id }, 'ann'))),
  ],
};
