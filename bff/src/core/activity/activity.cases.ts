import { expect } from 'vitest';
import {
  allows,
  get,
  post,
  put,
  invalidBody,
  readOnlyCases,
  strangeBodies,
  type Cases,
  type Expected,
} from '../../tests/contract.cases.ts';

const invalid = (pointer: string): Expected => ({ status: 400, code: 'query.invalid', pointers: [pointer] });
const read = (body: unknown, headers = {}) => put('/activity/read', body, headers);

export const cases: Cases = {
  listActivity: [
    {
      title: 'an invitation that the caller received',
      async request({ ben, theirSwarm, own }) {
        const invitation = await ben.invite(theirSwarm, own, 'producer');
        return get(`/activity?resource_id=${invitation.resource_id}&limit=1`);
      },
      expect: ({ own, theirSwarm }) => ({
        status: 200,
        body: {
          items: [
            expect.objectContaining({
              kind: 'invitation.sent',
              actor: 'ben',
              resource: { id: own.id, name: own.name, user_id: 'ann' },
              swarm: { id: theirSwarm.id, name: theirSwarm.name },
              detail: 'producer',
            }),
          ],
        },
      }),
    },
    {
      title: 'another user’s resource has no entries',
      request: ({ theirs }) => get(`/activity?resource_id=${theirs.id}`),
      expect: { status: 200, body: { items: [], next: null } },
    },
    { title: 'a topic', request: () => get('/activity?topic=account'), expect: { status: 200 } },
    ...readOnlyCases([
      { title: 'an unknown topic', request: () => get('/activity?topic=weather'), expect: invalid('?topic') },
      { title: 'a limit of 0', request: () => get('/activity?limit=0'), expect: invalid('?limit') },
      { title: 'a limit of 201', request: () => get('/activity?limit=201'), expect: invalid('?limit') },
      { title: 'a cursor that is not a number', request: () => get('/activity?before=x'), expect: invalid('?before') },
    ]),
    { title: 'an unsupported method', request: () => post('/activity', {}), expect: allows('GET, HEAD') },
  ],
  markActivityRead: [
    { title: 'an entry', request: () => read({ id: 1 }), expect: { status: 204 } },
    ...readOnlyCases([
      { title: 'a negative id', request: () => read({ id: -1 }), expect: invalidBody('/id') },
      { title: 'no id', request: () => read({}), expect: invalidBody('/id') },
    ]),
    ...strangeBodies(
      (_context, body, headers) => read(body, headers),
      () => ({ id: 1 }),
    ),
    { title: 'an unsupported method', request: () => post('/activity/read', {}), expect: allows('PUT') },
  ],
};
