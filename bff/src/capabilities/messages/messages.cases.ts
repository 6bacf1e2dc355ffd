import { expect } from 'vitest';
import {
  allows,
  forbidden,
  get,
  invalidBody,
  notFound,
  post,
  readOnlyCases,
  strangeBodies,
  strangeIds,
  type Cases,
  type Context,
  type Expected,
} from '../../tests/contract.cases.ts';

const invalid = (pointer: string): Expected => ({ status: 400, code: 'query.invalid', pointers: [pointer] });
const ofHome = ({ home }: Context, more = '') => `/resources/${home.device.id}/messages${more}`;
const ofSwarm = ({ home }: Context, more = '') => `/swarms/${home.swarm.id}/messages${more}`;
/** A message of the other device in Ann's swarm. */
async function receiving(context: Context) {
  const { ann, home } = context;
  const sender = await ann.device();
  await ann.add(home.swarm, sender, 'producer');
  await ann.make(`/resources/${sender.id}/messages`, { payload: { level: 3 }, message_id: 'reading-1' });
  return sender;
}
const limits = (path: (context: Context, more: string) => string) =>
  ['0', '201', 'x'].map((limit) => ({
    title: `a limit of ${limit}`,
    request: (context: Context) => get(path(context, `?limit=${limit}`)),
    expect: invalid('?limit'),
  }));

/** Streams have their own tests, over real connections. */
export const cases: Cases = {
  sendMessage: [
    {
      title: 'to all swarms of the resource',
      request: (context) => post(ofHome(context), { payload: [1, { text: 'a' }] }),
      expect: ({ home }) => ({
        status: 201,
        body: { message_id: expect.any(String), sent_at: expect.any(String), swarms: [home.swarm.id] },
      }),
    },
    {
      title: 'with an id',
      request: (context) => post(ofHome(context), { payload: null, message_id: 'reading-1' }),
      expect: { status: 201, body: { message_id: 'reading-1' } },
    },
    {
      title: 'with properties',
      request: (context) =>
        post(ofHome(context), {
          payload: 1,
          properties: { content_type: 'text/plain', user_properties: { unit: ['cm'] } },
        }),
      expect: { status: 201 },
    },
    {
      title: 'to one resource',
      async request(context) {
        const { id: to } = await context.ann.device();
        await context.ann.add(context.home.swarm, { id: to }, 'consumer');
        return post(ofHome(context), { payload: 'open', swarm_id: context.home.swarm.id, to });
      },
      expect: { status: 201 },
    },
    ...readOnlyCases([
      {
        title: 'of a resource in no swarm',
        request: ({ own }) => post(`/resources/${own.id}/messages`, { payload: 1 }),
        expect: { status: 403, code: 'message.not_producer' },
      },
      {
        title: 'to a resource that is no consumer',
        request: (context) => post(ofHome(context), { payload: 1, to: context.own.id }),
        expect: { status: 400, code: 'body.invalid', pointers: ['/to'], faults: ['message.no_recipient'] },
      },
      {
        title: 'of another user’s resource',
        request: ({ theirs }) => post(`/resources/${theirs.id}/messages`, { payload: 1 }),
        expect: notFound('resource'),
      },
      {
        title: 'without a payload',
        request: (context) => post(ofHome(context), {}),
        expect: { ...invalidBody('/payload'), faults: ['field.required'] },
      },
      {
        title: 'with a payload of more than 16 KiB',
        request: (context) => post(ofHome(context), { payload: 'a'.repeat(16_383) }),
        expect: invalidBody('/payload'),
      },
      {
        title: 'with a number that is none here',
        request: (context) => post(ofHome(context), '{"payload":{"level":1e999}}'),
        expect: invalidBody('/payload'),
      },
      {
        title: 'with a property that is none',
        request: (context) => post(ofHome(context), { payload: 1, properties: { unit: 'cm' } }),
        expect: invalidBody('/properties/unit'),
      },
      {
        title: 'with an id that is too long',
        request: (context) => post(ofHome(context), { payload: 1, message_id: 'a'.repeat(65) }),
        expect: invalidBody('/message_id'),
      },
      {
        title: 'with a space in its id',
        request: (context) => post(ofHome(context), { payload: 1, message_id: 'a b' }),
        expect: invalidBody('/message_id'),
      },
    ]),
    ...strangeIds('resource', (_, id) => post(`/resources/${id}/messages`, { payload: 1 })),
    ...strangeBodies(
      (context, body, headers) => post(ofHome(context), body, headers),
      () => ({ payload: 1 }),
    ),
    {
      title: 'an unsupported method',
      request: (context) => ({ method: 'DELETE', path: ofHome(context) }),
      expect: allows('POST, GET, HEAD'),
    },
  ],
  receiveMessages: [
    {
      title: 'the messages that are kept',
      async request(context) {
        await receiving(context);
        return get(ofHome(context, '?wait=1'));
      },
      expect: ({ home }) => ({
        status: 200,
        body: [
          expect.objectContaining({ message_id: 'reading-1', swarm_id: home.swarm.id, payload: { level: 3 } }),
        ] as unknown[],
        headers: { 'last-event-id': /^m-[0-9a-z]+-\d+$/ },
      }),
    },
    ...readOnlyCases([
      { title: 'none', request: (context) => get(ofHome(context)), expect: { status: 200, body: [] } },
      {
        title: 'the head of a stream',
        request: (context) => ({ method: 'HEAD', path: ofHome(context), headers: { accept: 'text/event-stream' } }),
        expect: { status: 200, headers: { 'content-type': 'text/event-stream' } },
      },
      { title: 'a wait of 61', request: (context) => get(ofHome(context, '?wait=61')), expect: invalid('?wait') },
      {
        title: 'of another user’s resource',
        request: ({ theirs }) => get(`/resources/${theirs.id}/messages`),
        expect: notFound('resource'),
      },
    ]),
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/messages`)),
  ],
  getRefusals: [
    ...readOnlyCases([
      {
        title: 'of a resource that was refused nothing',
        request: ({ home }) => get(`/resources/${home.device.id}/refusals`),
        expect: { status: 200, body: {} },
      },
      {
        title: 'of another user’s resource',
        request: ({ theirs }) => get(`/resources/${theirs.id}/refusals`),
        expect: notFound('resource'),
      },
    ]),
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/refusals`)),
  ],
  getResourceAudience: [
    ...readOnlyCases([
      {
        title: 'of a resource in one swarm',
        request: ({ home }) => get(`/resources/${home.device.id}/audience`),
        expect: ({ home }) => ({
          status: 200,
          body: {
            items: [
              expect.objectContaining({ swarm: { id: home.swarm.id, name: home.swarm.name }, reach: 'private' }),
            ] as unknown[],
            next: null,
          },
        }),
      },
      {
        title: 'a time without its end',
        request: ({ home }) => get(`/resources/${home.device.id}/audience?from=2026-01-02T03:04:05Z`),
        expect: invalid('?until'),
      },
      {
        title: 'a time that ends before it begins',
        request: ({ home }) =>
          get(`/resources/${home.device.id}/audience?from=2026-01-02T03:04:05Z&until=2026-01-02T03:04:05Z`),
        expect: invalid('?until'),
      },
      {
        title: 'a limit of 101',
        request: ({ home }) => get(`/resources/${home.device.id}/audience?limit=101`),
        expect: invalid('?limit'),
      },
      {
        title: 'of another user’s resource',
        request: ({ theirs }) => get(`/resources/${theirs.id}/audience`),
        expect: notFound('resource'),
      },
    ]),
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/audience`)),
  ],
  getSwarmAudience: [
    ...readOnlyCases([
      {
        title: 'of an own swarm',
        request: ({ home }) => get(`/swarms/${home.swarm.id}/audience`),
        expect: ({ home }) => ({
          status: 200,
          body: {
            items: [expect.objectContaining({ swarm: { id: home.swarm.id, name: home.swarm.name } })] as unknown[],
            next: null,
          },
        }),
      },
      {
        title: 'the end of a time without its beginning',
        request: ({ home }) => get(`/swarms/${home.swarm.id}/audience?until=2026-01-02T03:04:05Z`),
        expect: invalid('?from'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}/audience`)),
  ],
  sendHeartbeat: [
    ...readOnlyCases([
      {
        title: 'of a resource',
        request: ({ home }) => ({ method: 'POST', path: `/resources/${home.device.id}/heartbeat` }),
        expect: { status: 204 },
      },
      {
        title: 'of another user’s resource',
        request: ({ theirs }) => ({ method: 'POST', path: `/resources/${theirs.id}/heartbeat` }),
        expect: notFound('resource'),
      },
    ]),
    ...strangeIds('resource', (_, id) => ({ method: 'POST', path: `/resources/${id}/heartbeat` })),
  ],
  listSentMessages: [
    {
      title: 'what it has sent',
      async request(context) {
        await context.ann.make(ofHome(context), { payload: 1 });
        return get(ofHome(context, '/sent'));
      },
      expect: ({ home }) => ({
        status: 200,
        body: [expect.objectContaining({ from: home.device.id, payload: 1 })] as unknown[],
      }),
    },
    ...readOnlyCases([
      ...limits((context, more) => ofHome(context, `/sent${more}`)),
      {
        title: 'of another user’s resource',
        request: ({ theirs }) => get(`/resources/${theirs.id}/messages/sent`),
        expect: notFound('resource'),
      },
    ]),
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/messages/sent`)),
    {
      title: 'an unsupported method',
      request: (context) => post(ofHome(context, '/sent'), {}),
      expect: allows('GET, HEAD'),
    },
  ],
  listMessages: [
    {
      title: 'a page',
      async request(context) {
        const { id } = await receiving(context);
        await context.ann.make(`/resources/${id}/messages`, { payload: 2 });
        return get(ofSwarm(context, `?limit=1&resource_id=${id}`));
      },
      expect: {
        status: 200,
        body: { items: [expect.objectContaining({ payload: 2 })], next: expect.any(String) },
      },
    },
    ...readOnlyCases([
      { title: 'none', request: (context) => get(ofSwarm(context)), expect: { status: 200, body: { next: null } } },
      ...limits(ofSwarm),
      {
        title: 'of a swarm to which the caller is only invited',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/messages`),
        expect: forbidden('swarm'),
      },
    ]),
    {
      title: 'a search by text and time',
      async request(context) {
        await receiving(context);
        return get(
          ofSwarm(context, '?q=LEVEL&sent_after=2000-01-01T00:00:00Z&sent_before=2100-01-01T01:00:00%2B01:00'),
        );
      },
      expect: { status: 200, body: { items: [expect.objectContaining({ payload: { level: 3 } })], next: null } },
    },
    ...readOnlyCases([
      {
        title: 'a search with too long a text',
        request: (context) => get(ofSwarm(context, `?q=${'a'.repeat(201)}`)),
        expect: invalid('?q'),
      },
      ...['sent_after', 'sent_before'].map((name) => ({
        title: `a search with ${name} that is no time`,
        request: (context: Context) => get(ofSwarm(context, `?${name}=today`)),
        expect: invalid(`?${name}`),
      })),
    ]),
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}/messages`)),
    { title: 'an unsupported method', request: (context) => post(ofSwarm(context), {}), expect: allows('GET, HEAD') },
  ],
  getSwarmValues: [
    {
      title: 'of a member, in one step',
      async request(context) {
        const { id } = await receiving(context);
        return get(`/swarms/${context.home.swarm.id}/values?resource_ids=${id},${context.own.id}&keys=level`);
      },
      expect: ({ own }) => ({
        status: 200,
        body: {
          step: 0,
          items: [
            {
              resource_id: expect.any(String),
              since: expect.any(String),
              series: [{ key: 'level', kind: 'number', times: [expect.any(Number)], values: [3] }],
            },
            { resource_id: own.id, series: [] },
          ],
        },
      }),
    },
    {
      title: 'as CSV',
      async request(context) {
        const { id } = await receiving(context);
        return get(`/swarms/${context.home.swarm.id}/values?resource_ids=${id}&keys=level&format=csv`);
      },
      expect: {
        status: 200,
        headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': /filename="values\.csv"/ },
      },
    },
    ...readOnlyCases([
      {
        title: 'without resources and keys',
        request: ({ home }) => get(`/swarms/${home.swarm.id}/values`),
        expect: { status: 400, code: 'query.invalid', pointers: ['?resource_ids', '?keys'] },
      },
      {
        title: 'of nine resources',
        request: ({ home }) => get(`/swarms/${home.swarm.id}/values?resource_ids=a,b,c,d,e,f,g,h,i&keys=a`),
        expect: invalid('?resource_ids'),
      },
      {
        title: 'that end before they begin',
        request: ({ home }) =>
          get(
            `/swarms/${home.swarm.id}/values?resource_ids=a&keys=a&from=2026-01-03T00:00:00Z&to=2026-01-02T00:00:00Z`,
          ),
        expect: invalid('?from'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}/values?resource_ids=a&keys=a`)),
    {
      title: 'an unsupported method',
      request: ({ home }) => ({ method: 'POST', path: `/swarms/${home.swarm.id}/values`, body: {} }),
      expect: allows('GET, HEAD'),
    },
  ],
  exportMessages: [
    {
      title: 'as lines of JSON',
      async request(context) {
        await receiving(context);
        return get(ofSwarm(context, '/export?format=ndjson&q=level'));
      },
      expect: {
        status: 200,
        headers: {
          'content-type': 'application/x-ndjson',
          'content-disposition': /filename="messages\.ndjson"/,
          'cache-control': 'no-store',
        },
      },
    },
    ...readOnlyCases([
      {
        title: 'as CSV',
        request: (context) => get(ofSwarm(context, '/export')),
        expect: { status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' } },
      },
      {
        title: 'an unknown format',
        request: (context) => get(ofSwarm(context, '/export?format=xls')),
        expect: { status: 400, code: 'query.invalid' },
      },
      {
        title: 'of a swarm to which the caller is only invited',
        request: ({ theirSwarm }) => get(`/swarms/${theirSwarm.id}/messages/export`),
        expect: forbidden('swarm'),
      },
    ]),
    ...strangeIds('swarm', (_, id) => get(`/swarms/${id}/messages/export`)),
    {
      title: 'an unsupported method',
      request: (context) => post(ofSwarm(context, '/export'), {}),
      expect: allows('GET, HEAD'),
    },
  ],
};
