import {
  allows,
  forbidden,
  get,
  notFound,
  onceForAKey,
  post,
  put,
  refused,
  remove,
  still,
  strangeBodies,
  strangeIds,
  strangeNames,
  strangeTexts,
  tooMany,
  unknownId,
} from './contract.cases.ts';
import type { Cases, Expected } from './contract.cases.ts';
import { origin } from './test-server.fixture.ts';

const whole = {
  name: 'Sensor',
  machine_type: 'bug',
  description: 'by the door',
  position: { longitude: 12.25, latitude: 52.5 },
};
const create = (body: unknown, headers = {}) => post('/resources', body, headers);
const change = ({ id }: { id: string }, body: unknown, headers = {}) => put(`/resources/${id}`, body, headers);
const changed: Expected = { status: 412, code: 'resource.changed' };

export const resourceCases: Cases = {
  createResource: [
    {
      title: 'beyond the quota',
      request: async ({ fill }) => {
        await fill('resources');
        return create(whole);
      },
      expect: tooMany('resource'),
    },
    {
      title: 'all fields',
      request: () => create(whole),
      expect: {
        status: 201,
        body: whole,
        headers: { etag: '"1"', location: new RegExp(`^${origin}/service/resources/[0-9a-f-]{36}$`) },
      },
    },
    {
      title: 'name and machine type are enough',
      request: () => create({ name: 'a', machine_type: 'pc' }),
      expect: { status: 201 },
    },
    {
      title: 'a charset beside the media type',
      request: () => create(whole, { 'content-type': 'application/json; charset=utf-8' }),
      expect: { status: 201 },
    },
    {
      title: 'an empty description is a value',
      request: () => create({ ...whole, description: '' }),
      expect: { status: 201, body: { description: '' } },
    },
    {
      title: 'names are never trimmed',
      request: () => create({ ...whole, name: '  a  ' }),
      expect: { status: 201, body: { name: '  a  ' } },
    },
    {
      title: '128 code points, also beyond the basic plane',
      request: () => create({ ...whole, name: '🛰'.repeat(128) }),
      expect: { status: 201 },
    },
    {
      title: 'the corner of the world',
      request: () => create({ ...whole, position: { longitude: -180, latitude: 90 } }),
      expect: { status: 201 },
    },
    {
      title: 'line breaks and tabs in texts',
      request: () => create({ ...whole, description: 'a\n\tb' }),
      expect: { status: 201, body: { description: 'a\n\tb' } },
    },
    {
      title: 'minus zero is stored as zero',
      request: () => create('{"name":"a","machine_type":"pc","position":{"longitude":-0.0,"latitude":-0}}'),
      expect: { status: 201, body: { position: { longitude: 0, latitude: 0 } } },
    },
    ...still([
      {
        title: 'a description of 2,001',
        request: () => create({ ...whole, description: 'a'.repeat(2001) }),
        expect: refused('/description'),
      },
      {
        title: 'null is no value on create',
        request: () => create({ ...whole, description: null, position: null }),
        expect: refused('/description', '/position'),
      },
      {
        title: 'every fault at once',
        request: () => create({ name: ' ', machine_type: 'toaster', position: { longitude: 200 }, colour: 'red' }),
        expect: refused('/name', '/machine_type', '/position/longitude', '/position/latitude', '/colour'),
      },
      { title: 'nothing', request: () => create({}), expect: refused('/name', '/machine_type') },
      {
        title: 'a field only the service sets',
        request: () => create({ ...whole, id: unknownId }),
        expect: refused('/id'),
      },
      {
        title: 'numbers as text',
        request: () => create({ ...whole, position: { longitude: '1', latitude: 2 } }),
        expect: refused('/position/longitude'),
      },
      {
        title: 'a number beyond all bounds',
        request: () => create('{"name":"a","machine_type":"pc","position":{"longitude":1e999,"latitude":0}}'),
        expect: refused('/position/longitude'),
      },
    ]),
    ...strangeNames((_, name) => create({ ...whole, name })),
    ...strangeTexts('/description', (_, description) => create({ ...whole, description })),
    ...strangeBodies(
      (_, body, headers) => create(body, headers),
      () => whole,
    ),
    ...onceForAKey(
      (_, body, headers) => create(body, headers),
      () => whole,
      () => ({ ...whole, name: 'another' }),
    ),
  ],

  listResources: [
    {
      title: 'all of the caller',
      request: () => get('/resources'),
      expect: { status: 200, headers: { etag: /^W\/"/ } },
    },
    {
      title: 'unknown query parameters are ignored',
      request: () => get('/resources?limit=1'),
      expect: { status: 200 },
    },
    {
      title: 'a GET with a content type is served',
      request: () => get('/resources', { 'content-type': 'text/plain' }),
      expect: { status: 200 },
    },
    {
      title: 'a method the path does not take',
      request: () => ({ method: 'PATCH', path: '/resources', body: {} }),
      expect: allows('POST, GET, HEAD'),
    },
    {
      title: 'not changed',
      async request({ ann }) {
        const etag = (await ann.request(get('/resources'))).headers.get('etag')!;
        return get('/resources', { 'if-none-match': `"other", ${etag}` });
      },
      expect: { status: 304 },
    },
    {
      title: 'changed meanwhile',
      async request({ ann, own }) {
        const etag = (await ann.request(get('/resources'))).headers.get('etag')!;
        await ann.request(change(own, { name: 'changed' }));
        return get('/resources', { 'if-none-match': etag });
      },
      expect: { status: 200 },
    },
  ],

  exportResources: [
    {
      title: 'all of the caller as CSV',
      request: () => get('/export'),
      expect: {
        status: 200,
        headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': /filename="devices\.csv"/ },
      },
    },
    {
      title: 'as GeoJSON',
      request: () => get('/export?format=geojson'),
      expect: { status: 200, headers: { 'content-type': 'application/geo+json' }, body: { type: 'FeatureCollection' } },
    },
    { title: 'unknown query parameters are ignored', request: () => get('/export?limit=1'), expect: { status: 200 } },
    {
      title: 'a GET with a content type is served',
      request: () => get('/export', { 'content-type': 'text/plain' }),
      expect: { status: 200 },
    },
    {
      title: 'an unknown format',
      request: () => get('/export?format=xls'),
      expect: { status: 400, code: 'query.invalid' },
    },
    {
      title: 'a method that the path does not have',
      request: () => ({ method: 'DELETE', path: '/export' }),
      expect: allows('GET, HEAD'),
    },
  ],

  getResource: [
    {
      title: 'as it was created',
      request: ({ own }) => get(`/resources/${own.id}`),
      expect: ({ own }) => ({ status: 200, body: own, headers: { etag: '"1"' } }),
    },
    {
      title: 'not changed',
      request: ({ own, etag }) => get(`/resources/${own.id}`, { 'if-none-match': etag }),
      expect: { status: 304 },
    },
    {
      title: 'changed',
      request: ({ own }) => get(`/resources/${own.id}`, { 'if-none-match': '"0"' }),
      expect: { status: 200 },
    },
    {
      title: 'of somebody who was invited: until they accept, the sender sees nothing',
      async request({ ann, swarm, theirs }) {
        await ann.invite(swarm, theirs);
        return get(`/resources/${theirs.id}`);
      },
      expect: notFound('resource'),
    },
    {
      title: 'of somebody who accepted',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return get(`/resources/${theirs.id}`);
      },
      expect: ({ theirs }) => ({ status: 200, body: theirs }),
    },
    {
      title: 'of somebody who left again',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        await ben.leave(swarm, theirs);
        return get(`/resources/${theirs.id}`);
      },
      expect: notFound('resource'),
    },
    ...strangeIds('resource', (_, id) => get(`/resources/${id}`)),
    {
      title: 'a path nobody serves',
      request: ({ own }) => get(`/resources/${own.id}/nothing`),
      expect: notFound('route'),
    },
    {
      title: 'a method the path does not take',
      request: ({ own }) => post(`/resources/${own.id}`, {}),
      expect: allows('GET, HEAD, PUT, DELETE'),
    },
  ],

  updateResource: [
    {
      title: 'one field; the others stay',
      request: ({ own }) => change(own, { name: 'New' }),
      expect: ({ own }) => ({ status: 200, body: { ...own, name: 'New' }, headers: { etag: '"2"' } }),
    },
    {
      title: 'nothing: only modified_at',
      request: ({ own }) => change(own, {}),
      expect: ({ own }) => ({ status: 200, body: own }),
    },
    {
      title: 'null clears description and position',
      request: ({ own }) => change(own, { description: null, position: null }),
      expect: ({ own: { description: _d, position: _p, ...rest } }) => ({ status: 200, body: rest }),
    },
    {
      title: 'read-only fields as they are stored',
      request: ({ own }) => change(own, { ...own, name: 'New' }),
      expect: { status: 200, body: { name: 'New' } },
    },
    {
      title: 'what an update answered, put back',
      request: async ({ ann, own }) => change(own, await ann.change(`/resources/${own.id}`, { name: 'Once' })),
      expect: { status: 200, body: { name: 'Once' } },
    },
    ...still([
      {
        title: 'read-only fields that differ, all by name',
        request: ({ own }) => change(own, { id: unknownId, user_id: 'x', created_at: 'x', modified_at: 'x' }),
        expect: refused('/id', '/user_id', '/created_at', '/modified_at'),
      },
      {
        title: 'read-only fields beside other faults: all at once, each once',
        request: ({ own }) => change(own, { id: 7, created_at: 'x', name: '', colour: 'red', user_id: 'ann' }),
        expect: refused('/name', '/id', '/colour', '/created_at'),
      },
      {
        title: 'null is no name',
        request: ({ own }) => change(own, { name: null, machine_type: null }),
        expect: refused('/name', '/machine_type'),
      },
      {
        title: 'half a position',
        request: ({ own }) => change(own, { position: { latitude: 1 } }),
        expect: refused('/position/longitude'),
      },
      {
        title: 'If-Match of another version',
        request: ({ own }) => change(own, { name: 'New' }, { 'if-match': '"7"' }),
        expect: { ...changed, headers: { etag: '"1"' } },
      },
      {
        title: 'a weak tag never matches',
        request: ({ own, etag }) => change(own, {}, { 'if-match': `W/${etag}` }),
        expect: changed,
      },
      {
        title: 'the body is looked at before If-Match',
        request: ({ own }) => change(own, { name: '' }, { 'if-match': '"7"' }),
        expect: refused('/name'),
      },
      {
        title: 'the id is looked at before the body',
        request: () => change({ id: unknownId }, '{'),
        expect: notFound('resource'),
      },
    ]),
    {
      title: 'If-Match as it is',
      request: ({ own, etag }) => change(own, { name: 'New' }, { 'if-match': `"7", ${etag}` }),
      expect: { status: 200 },
    },
    {
      title: 'If-Match: anything',
      request: ({ own }) => change(own, { name: 'New' }, { 'if-match': '*' }),
      expect: { status: 200 },
    },
    {
      title: 'of somebody in the same swarm: to be seen, not to be changed',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return change(theirs, '{');
      },
      expect: forbidden('resource'),
    },
    ...strangeIds('resource', (_, id) => change({ id }, {})),
    ...strangeNames(({ own }, name) => change(own, { name })),
    ...strangeTexts('/description', ({ own }, description) => change(own, { description })),
    ...strangeBodies(
      ({ own }, body, headers) => change(own, body, headers),
      () => whole,
    ),
  ],

  destroyResource: [
    {
      title: 'gone, with an empty body',
      request: ({ own }) => remove(`/resources/${own.id}`),
      expect: { status: 204 },
    },
    {
      title: 'a DELETE with a JSON body is served',
      request: ({ own }) => ({ method: 'DELETE', path: `/resources/${own.id}`, body: {} }),
      expect: { status: 204 },
    },
    {
      title: 'gone already',
      async request({ ann, own }) {
        await ann.destroy('resources', own);
        return remove(`/resources/${own.id}`);
      },
      expect: notFound('resource'),
    },
    ...still([
      {
        title: 'If-Match of another version',
        request: ({ own }) => remove(`/resources/${own.id}`, { 'if-match': '"7"' }),
        expect: changed,
      },
      {
        title: 'a weak tag never matches',
        request: ({ own, etag }) => remove(`/resources/${own.id}`, { 'if-match': `W/${etag}` }),
        expect: changed,
      },
    ]),
    {
      title: 'If-Match as it is',
      request: ({ own, etag }) => remove(`/resources/${own.id}`, { 'if-match': etag }),
      expect: { status: 204 },
    },
    ...strangeIds('resource', (_, id) => remove(`/resources/${id}`)),
  ],

  listSwarmsOfResource: [
    {
      title: 'in no swarm',
      request: ({ own }) => get(`/resources/${own.id}/swarms`),
      expect: { status: 200, body: [] },
    },
    {
      title: 'with their members',
      async request({ ann, own, swarm }) {
        await ann.add(swarm, own, 'producer');
        return get(`/resources/${own.id}/swarms`);
      },
      expect: ({ own, swarm }) => ({
        status: 200,
        body: [
          {
            ...swarm,
            resources: [
              {
                resource_id: own.id,
                resource_type: 'producer',
                user_id: 'ann',
                url: `${origin}/service/resources/${own.id}`,
              },
            ],
          },
        ],
        headers: { etag: /^W\/"/ },
      }),
    },
    {
      title: 'not changed',
      async request({ ann, own }) {
        const etag = (await ann.request(get(`/resources/${own.id}/swarms`))).headers.get('etag')!;
        return get(`/resources/${own.id}/swarms`, { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    {
      title: 'of somebody in the same swarm',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return get(`/resources/${theirs.id}/swarms`);
      },
      expect: forbidden('resource'),
    },
    {
      title: 'a method the path does not take',
      request: ({ own }) => post(`/resources/${own.id}/swarms`, {}),
      expect: allows('GET, HEAD'),
    },
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/swarms`)),
  ],
};
