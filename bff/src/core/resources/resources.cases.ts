import { expect } from 'vitest';
import {
  allows,
  forbidden,
  get,
  notFound,
  onceForAKey,
  post,
  put,
  invalidBody,
  remove,
  readOnlyCases,
  strangeBodies,
  strangeIds,
  strangeNames,
  strangeTexts,
  tooMany,
  unknownId,
  type Cases,
  type Context,
  type Expected,
} from '../../tests/contract.cases.ts';
import type { Resource } from '../../contract.ts';
import { origin } from '../../tests/test-server.fixture.ts';

const whole = {
  name: 'Sensor',
  machine_type: 'bug',
  description: 'by the door',
  position: { longitude: 12.25, latitude: 52.5 },
  expected_every: 60,
};
const create = (body: unknown, headers = {}) => post('/resources', body, headers);
const change = ({ id }: { id: string }, body: unknown, headers = {}) => put(`/resources/${id}`, body, headers);
const featureOf = ({ id, name, machine_type, description, position, created_at }: Resource) => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [position!.longitude, position!.latitude] },
  properties: { name, machine_type, description, changed_at: created_at },
});
const changed: Expected = { status: 412, code: 'resource.changed' };

export const cases: Cases = {
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
    ...[-1, 1, 59, 2_592_001, 60.5, '60'].map((expected_every) => ({
      title: `an expected time of ${JSON.stringify(expected_every)}`,
      request: () => create({ ...whole, expected_every }),
      expect: invalidBody('/expected_every'),
    })),
    {
      title: 'name and machine type are enough',
      request: () => create({ name: 'a', machine_type: 'pc' }),
      expect: { status: 201 },
    },
    {
      title: 'a charset parameter of the content type',
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
      title: '128 code points, also outside the basic multilingual plane',
      request: () => create({ ...whole, name: '🛰'.repeat(128) }),
      expect: { status: 201 },
    },
    {
      title: 'the limits of longitude and latitude',
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
    ...readOnlyCases([
      {
        title: 'a description of 2,001 characters',
        request: () => create({ ...whole, description: 'a'.repeat(2001) }),
        expect: invalidBody('/description'),
      },
      {
        title: 'null is rejected on create',
        request: () => create({ ...whole, description: null, position: null }),
        expect: invalidBody('/description', '/position'),
      },
      {
        title: 'all errors are reported together',
        request: () => create({ name: ' ', machine_type: 'toaster', position: { longitude: 200 }, colour: 'red' }),
        expect: invalidBody('/name', '/machine_type', '/position/longitude', '/position/latitude', '/colour'),
      },
      { title: 'an empty object', request: () => create({}), expect: invalidBody('/name', '/machine_type') },
      {
        title: 'a field that only the service sets',
        request: () => create({ ...whole, id: unknownId }),
        expect: invalidBody('/id'),
      },
      {
        title: 'strings instead of numbers',
        request: () => create({ ...whole, position: { longitude: '1', latitude: 2 } }),
        expect: invalidBody('/position/longitude'),
      },
      {
        title: 'an infinite number',
        request: () => create('{"name":"a","machine_type":"pc","position":{"longitude":1e999,"latitude":0}}'),
        expect: invalidBody('/position/longitude'),
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
      title: 'all resources of the caller',
      request: () => get('/resources'),
      expect: { status: 200, headers: { etag: /^W\/"/ } },
    },
    {
      title: 'as GeoJSON, by Accept',
      request: () => get('/resources', { accept: 'application/geo+json' }),
      expect: {
        status: 200,
        headers: { 'content-type': 'application/geo+json', etag: /^W\/".*-geojson"$/, vary: 'Accept' },
        body: { type: 'FeatureCollection' },
      },
    },
    {
      title: 'as GeoJSON, If-None-Match with the current version gets 304',
      async request({ ann }) {
        const headers = { accept: 'application/geo+json' };
        const etag = (await ann.request(get('/resources', headers))).headers.get('etag')!;
        return get('/resources', { ...headers, 'if-none-match': etag });
      },
      expect: { status: 304, headers: { vary: 'Accept' } },
    },
    {
      title: 'unknown query parameters are ignored',
      request: () => get('/resources?limit=1'),
      expect: { status: 200 },
    },
    {
      title: 'a content type is ignored',
      request: () => get('/resources', { 'content-type': 'text/plain' }),
      expect: { status: 200 },
    },
    {
      title: 'an unsupported method',
      request: () => ({ method: 'PATCH', path: '/resources', body: {} }),
      expect: allows('POST, GET, HEAD'),
    },
    {
      title: 'If-None-Match with the current version gets 304',
      async request({ ann }) {
        const etag = (await ann.request(get('/resources'))).headers.get('etag')!;
        return get('/resources', { 'if-none-match': `"other", ${etag}` });
      },
      expect: { status: 304 },
    },
    {
      title: 'If-None-Match with the version before a change gets 200',
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
      title: 'all resources of the caller as CSV',
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
      title: 'a content type is ignored',
      request: () => get('/export', { 'content-type': 'text/plain' }),
      expect: { status: 200 },
    },
    {
      title: 'an unknown format',
      request: () => get('/export?format=xls'),
      expect: { status: 400, code: 'query.invalid' },
    },
    {
      title: 'an unsupported method',
      request: () => ({ method: 'DELETE', path: '/export' }),
      expect: allows('GET, HEAD'),
    },
  ],

  getResource: [
    {
      title: 'the created resource',
      request: ({ own }) => get(`/resources/${own.id}`),
      expect: ({ own }) => ({ status: 200, body: own, headers: { etag: '"1"' } }),
    },
    {
      title: 'If-None-Match with the current version gets 304',
      request: ({ own, etag }) => get(`/resources/${own.id}`, { 'if-none-match': etag }),
      expect: { status: 304 },
    },
    {
      title: 'If-None-Match with another version gets 200',
      request: ({ own }) => get(`/resources/${own.id}`, { 'if-none-match': '"0"' }),
      expect: { status: 200 },
    },
    ...['application/geo+json', 'application/json;q=0.5, application/geo+json'].map((accept) => ({
      title: `as GeoJSON, by Accept: ${accept}`,
      request: ({ own }: Context) => get(`/resources/${own.id}`, { accept }),
      expect: ({ own }: Context) => ({
        status: 200,
        body: featureOf(own),
        headers: { etag: '"1-geojson"', vary: 'Accept', 'content-type': 'application/geo+json' },
      }),
    })),
    {
      title: 'as JSON, which a client prefers to GeoJSON',
      request: ({ own }) =>
        get(`/resources/${own.id}`, { accept: 'application/json, application/geo+json;q=0.9, */*' }),
      expect: ({ own }) => ({ status: 200, body: own, headers: { etag: '"1"', vary: 'Accept' } }),
    },
    {
      title: 'as GeoJSON, If-None-Match with its tag gets 304',
      request: ({ own }) =>
        get(`/resources/${own.id}`, { accept: 'application/geo+json', 'if-none-match': '"1-geojson"' }),
      expect: { status: 304, headers: { vary: 'Accept' } },
    },
    {
      title: 'as GeoJSON, If-None-Match with the tag of the JSON gets 200',
      request: ({ own, etag }) =>
        get(`/resources/${own.id}`, { accept: 'application/geo+json', 'if-none-match': etag }),
      expect: { status: 200 },
    },
    {
      title: 'an invited resource is not visible to the sender',
      async request({ ann, swarm, theirs }) {
        await ann.invite(swarm, theirs);
        return get(`/resources/${theirs.id}`);
      },
      expect: notFound('resource'),
    },
    {
      title: 'a resource that joined is visible to the sender',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return get(`/resources/${theirs.id}`);
      },
      expect: ({ theirs }) => ({ status: 200, body: theirs }),
    },
    {
      title: 'a resource that left is not visible to the sender',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        await ben.leave(swarm, theirs);
        return get(`/resources/${theirs.id}`);
      },
      expect: notFound('resource'),
    },
    ...strangeIds('resource', (_, id) => get(`/resources/${id}`)),
    {
      title: 'an unknown path',
      request: ({ own }) => get(`/resources/${own.id}/nothing`),
      expect: notFound('route'),
    },
    {
      title: 'an unsupported method',
      request: ({ own }) => post(`/resources/${own.id}`, {}),
      expect: allows('GET, HEAD, PUT, DELETE'),
    },
  ],

  setValueKeys: [
    {
      title: 'some keys',
      async request({ ann, home }) {
        await ann.change(`/resources/${home.device.id}`, { keep_values: 'time' });
        return put(`/resources/${home.device.id}/values/keys`, { keys: ['door.open', 'temperature'] });
      },
      expect: { status: 200, body: { keys: ['door.open', 'temperature'] } },
    },
    {
      title: 'of a resource whose values are not recorded',
      request: ({ own }) => put(`/resources/${own.id}/values/keys`, { keys: null }),
      expect: { status: 409, code: 'values.not_recorded' },
    },
    {
      title: 'no key',
      request: ({ own }) => put(`/resources/${own.id}/values/keys`, { keys: [] }),
      expect: invalidBody('/keys'),
    },
    {
      title: 'an unknown resource',
      request: () => put(`/resources/${unknownId}/values/keys`, { keys: null }),
      expect: notFound('resource'),
    },
  ],

  getValues: [
    {
      title: 'of a resource that has sent nothing',
      request: ({ own }) => get(`/resources/${own.id}/values`),
      expect: { status: 200, body: { step: 0, kept_since: null, series: [] } },
    },
    {
      title: 'of what it has sent, also if it is not kept',
      async request({ ann, home }) {
        await ann.make(`/resources/${home.device.id}/messages`, {
          payload: { temperature: 21.5, door: { open: true } },
        });
        return get(`/resources/${home.device.id}/values`);
      },
      expect: {
        status: 200,
        body: {
          step: 0,
          kept_since: null,
          series: [
            { key: 'door.open', kind: 'state', times: [expect.any(Number)], values: [true] },
            { key: 'temperature', kind: 'number', times: [expect.any(Number)], values: [21.5] },
          ],
        },
      },
    },
    {
      title: 'of some keys, in steps',
      async request({ ann, home }) {
        await ann.change(`/resources/${home.device.id}`, { keep_values: 'time' });
        await ann.make(`/resources/${home.device.id}/messages`, { payload: { a: 1, b: 2, 'c,d': 3 } });
        return get(`/resources/${home.device.id}/values?keys=b,c%252Cd&from=2026-01-02T03:04:05Z`);
      },
      expect: { status: 200, body: { from: expect.any(String), kept_since: expect.any(String) } },
    },
    {
      title: 'as CSV',
      async request({ ann, home }) {
        await ann.make(`/resources/${home.device.id}/messages`, { payload: { level: -3 } });
        return get(`/resources/${home.device.id}/values?format=csv`);
      },
      expect: {
        status: 200,
        headers: { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': /filename="values\.csv"/ },
      },
    },
    ...['keys=a,b,c,d,e,f,g,h,i', 'keys=', 'keys=%25', 'from=yesterday', 'to=2026-01-02', 'format=xml'].map(
      (query) => ({
        title: `with ${query}`,
        request: ({ own }: Context) => get(`/resources/${own.id}/values?${query}`),
        expect: { status: 400, code: 'query.invalid' } as const,
      }),
    ),
    {
      title: 'that end before they begin',
      request: ({ own }) => get(`/resources/${own.id}/values?from=2026-01-03T00:00:00Z&to=2026-01-02T00:00:00Z`),
      expect: { status: 400, code: 'query.invalid' },
    },
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/values`)),
    {
      title: 'an unsupported method',
      request: ({ own }) => ({ method: 'PUT', path: `/resources/${own.id}/values`, body: {} }),
      expect: allows('GET, HEAD'),
    },
  ],
  getTrack: [
    {
      title: 'without a track, it has no points',
      request: ({ own }) => get(`/resources/${own.id}/track`),
      expect: { status: 200, body: { points: [] } },
    },
    {
      title: 'it begins with the position that is there, and a position that is sent then is a point',
      async request({ ann, own }) {
        await ann.change(`/resources/${own.id}`, { keep_track: true });
        await ann.change(`/resources/${own.id}`, { position: { longitude: -180, latitude: 48.123456 } });
        return get(`/resources/${own.id}/track`);
      },
      expect: { status: 200 },
    },
    {
      title: 'as GeoJSON',
      async request({ ann, own }) {
        await ann.change(`/resources/${own.id}`, { keep_track: true, position: { longitude: 8, latitude: 54 } });
        return get(`/resources/${own.id}/track?format=geojson`);
      },
      expect: ({ own }) => ({
        status: 200,
        headers: { 'content-type': 'application/geo+json', 'content-disposition': /filename="track\.geojson"/ },
        body: { type: 'Feature', id: own.id, geometry: { type: 'Point', coordinates: [8, 54] } },
      }),
    },
    {
      title: 'an unknown format',
      request: ({ own }) => get(`/resources/${own.id}/track?format=gpx`),
      expect: { status: 400, code: 'query.invalid' },
    },
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/track`)),
    {
      title: 'an unsupported method',
      request: ({ own }) => ({ method: 'PUT', path: `/resources/${own.id}/track`, body: {} }),
      expect: allows('GET, HEAD'),
    },
  ],

  updateResource: [
    {
      title: 'one field changes, the others stay',
      request: ({ own }) => change(own, { name: 'New' }),
      expect: ({ own }) => ({ status: 200, body: { ...own, name: 'New' }, headers: { etag: '"2"' } }),
    },
    {
      title: 'an empty object changes only modified_at',
      request: ({ own }) => change(own, {}),
      expect: ({ own }) => ({ status: 200, body: own }),
    },
    {
      title: 'null clears description and position',
      request: ({ own }) => change(own, { description: null, position: null }),
      expect: ({ own: { description: _d, position: _p, ...rest } }) => ({ status: 200, body: rest }),
    },
    {
      title: 'unchanged read-only fields',
      request: ({ own }) => change(own, { ...own, name: 'New' }),
      expect: { status: 200, body: { name: 'New' } },
    },
    {
      title: 'the response to an update can be put back',
      request: async ({ ann, own }) => change(own, await ann.change(`/resources/${own.id}`, { name: 'Once' })),
      expect: { status: 200, body: { name: 'Once' } },
    },
    ...readOnlyCases([
      {
        title: 'changed read-only fields are all named',
        request: ({ own }) => change(own, { id: unknownId, user_id: 'x', created_at: 'x', modified_at: 'x' }),
        expect: invalidBody('/id', '/user_id', '/created_at', '/modified_at'),
      },
      {
        title: 'changed read-only fields and other errors are reported together, each once',
        request: ({ own }) => change(own, { id: 7, created_at: 'x', name: '', colour: 'red', user_id: 'ann' }),
        expect: invalidBody('/name', '/id', '/colour', '/created_at'),
      },
      {
        title: 'a null name',
        request: ({ own }) => change(own, { name: null, machine_type: null }),
        expect: invalidBody('/name', '/machine_type'),
      },
      {
        title: 'a position without longitude',
        request: ({ own }) => change(own, { position: { latitude: 1 } }),
        expect: invalidBody('/position/longitude'),
      },
      {
        title: 'If-Match with another version',
        request: ({ own }) => change(own, { name: 'New' }, { 'if-match': '"7"' }),
        expect: { ...changed, headers: { etag: '"1"' } },
      },
      ...['*', '"7", W/"1"'].map((tags) => ({
        title: `If-None-Match: ${tags}`,
        request: ({ own }: Context) => change(own, { name: 'New' }, { 'if-none-match': tags }),
        expect: { ...changed, headers: { etag: '"1"' } },
      })),
      {
        title: 'If-Match with a weak tag never matches',
        request: ({ own, etag }) => change(own, {}, { 'if-match': `W/${etag}` }),
        expect: changed,
      },
      {
        title: 'an invalid body is reported before a failed If-Match',
        request: ({ own }) => change(own, { name: '' }, { 'if-match': '"7"' }),
        expect: invalidBody('/name'),
      },
      {
        title: 'an unknown id is reported before an invalid body',
        request: () => change({ id: unknownId }, '{'),
        expect: notFound('resource'),
      },
    ]),
    {
      title: 'If-Match with the current version',
      request: ({ own, etag }) => change(own, { name: 'New' }, { 'if-match': `"7", ${etag}` }),
      expect: { status: 200 },
    },
    {
      title: 'If-None-Match with another version',
      request: ({ own }) => change(own, { name: 'New' }, { 'if-none-match': '"7"' }),
      expect: { status: 200 },
    },
    {
      title: 'If-Match: *',
      request: ({ own }) => change(own, { name: 'New' }, { 'if-match': '*' }),
      expect: { status: 200 },
    },
    {
      title: 'a resource of another user in the same swarm is visible, but cannot be changed',
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
      title: 'a resource of the caller',
      request: ({ own }) => remove(`/resources/${own.id}`),
      expect: { status: 204 },
    },
    {
      title: 'a JSON body is ignored',
      request: ({ own }) => ({ method: 'DELETE', path: `/resources/${own.id}`, body: {} }),
      expect: { status: 204 },
    },
    {
      title: 'a second time: not found',
      async request({ ann, own }) {
        await ann.destroy('resources', own);
        return remove(`/resources/${own.id}`);
      },
      expect: notFound('resource'),
    },
    ...readOnlyCases([
      {
        title: 'If-Match with another version',
        request: ({ own }) => remove(`/resources/${own.id}`, { 'if-match': '"7"' }),
        expect: changed,
      },
      {
        title: 'If-Match with a weak tag never matches',
        request: ({ own, etag }) => remove(`/resources/${own.id}`, { 'if-match': `W/${etag}` }),
        expect: changed,
      },
    ]),
    {
      title: 'If-Match with the current version',
      request: ({ own, etag }) => remove(`/resources/${own.id}`, { 'if-match': etag }),
      expect: { status: 204 },
    },
    ...strangeIds('resource', (_, id) => remove(`/resources/${id}`)),
  ],

  listSwarmsOfResource: [
    {
      title: 'of a resource in no swarm',
      request: ({ own }) => get(`/resources/${own.id}/swarms`),
      expect: { status: 200, body: [] },
    },
    {
      title: 'swarms with their members',
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
      title: 'If-None-Match with the current version gets 304',
      async request({ ann, own }) {
        const etag = (await ann.request(get(`/resources/${own.id}/swarms`))).headers.get('etag')!;
        return get(`/resources/${own.id}/swarms`, { 'if-none-match': etag });
      },
      expect: { status: 304 },
    },
    {
      title: 'of a resource of another user in the same swarm',
      async request({ ann, ben, swarm, theirs }) {
        await ben.accept(await ann.invite(swarm, theirs));
        return get(`/resources/${theirs.id}/swarms`);
      },
      expect: forbidden('resource'),
    },
    {
      title: 'an unsupported method',
      request: ({ own }) => post(`/resources/${own.id}/swarms`, {}),
      expect: allows('GET, HEAD'),
    },
    ...strangeIds('resource', (_, id) => get(`/resources/${id}/swarms`)),
  ],
};
