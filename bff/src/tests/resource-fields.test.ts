// stores: SQLite, PostgreSQL
/** Each field that the owner of a resource sets goes all ways: a new field needs values here, and nothing else is skipped. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resource, resourceCreate, resourceUpdate, type Device, type DevicePage, type Resource } from '../contract.ts';
import {
  columnsOf,
  fieldNames,
  fieldsOf,
  fixParts,
  serviceColumns,
  storedFields,
} from '../core/store/resource-fields.ts';
import { actionsOf } from './actions.fixture.ts';
import { after, before, sent, values } from './resource-fields.fixture.ts';
import { signUpClient, type ServiceClient } from './service-client.fixture.ts';
import { createTestServer, type TestServer } from './test-server.fixture.ts';

let server: TestServer;
let ann: ServiceClient;
beforeAll(async () => {
  server = await createTestServer();
  ann = await signUpClient(server, 'ann', 'gateway');
});
afterAll(() => server[Symbol.asyncDispose]());

const create = () => ann.make<Resource>('/resources', before);
const read = (id: string) => ann.get<Resource>(`/resources/${id}`);
async function act(start: Parameters<ReturnType<typeof actionsOf>['start']>[0]) {
  const actions = actionsOf(ann);
  const { id } = await actions.start(start);
  return actions.ended(id);
}
const importOf = (id: string, update: object) =>
  act({
    kind: 'import',
    about: { file: 'devices.csv', hash: '' },
    wait: 0,
    items: [{ line: 2, name: 'shown', id, update }],
  });
async function isUpdated(id: string) {
  const sql = `SELECT 1 FROM feed WHERE kind = 'resource.updated' AND resource_id = $1`;
  return (await server.db.read({ sql, params: [id] })).length > 0;
}

test('an import that has the same position changes neither its time nor its accuracy', async () => {
  const { id } = await ann.make<Resource>('/resources', {
    ...before,
    position: { longitude: 8, latitude: 53 },
    positioned_at: '2026-01-02T03:04:05.000Z',
    accuracy: 12,
  });
  const placed = async () => {
    const sql = 'SELECT located_at, positioned_at, accuracy FROM resources WHERE id = $1';
    return server.db.read({ sql, params: [id] });
  };
  const stored = await placed();
  await importOf(id, {
    description: 'second edit',
    position: { longitude: 8, latitude: 53 },
    positioned_at: null,
    accuracy: null,
  });
  expect((await read(id)).description).toBe('second edit');
  expect(await placed()).toEqual(stored);
});

test('the schemas have the same fields', () => {
  const all = [...fieldNames, ...fixParts];
  expect(Object.keys(resourceCreate.shape).toSorted()).toEqual(all.toSorted());
  expect(Object.keys(resource.shape)).toEqual(expect.arrayContaining(all));
  expect(Object.keys(resourceUpdate.shape)).toEqual(expect.arrayContaining(all));
});

test('every column of the table is of a field or of the service', async () => {
  await create();
  const [row] = await server.db.read<object>({ sql: 'SELECT * FROM resources LIMIT 1' });
  const ofFields = fieldNames.flatMap(columnsOf);
  expect(Object.keys(row!).toSorted()).toEqual([...serviceColumns, ...ofFields].toSorted());
  expect(Object.keys(storedFields(fieldsOf(before))).toSorted()).toEqual(ofFields.toSorted());
});

test('a new resource has all fields, in the service, in the list and in a file', async () => {
  const created = await create();
  expect(created).toMatchObject(before);
  expect(await read(created.id)).toEqual(created);
  const { items } = await ann.get<DevicePage>('/devices?audience=own');
  expect(items.find(({ id }: Device) => id === created.id)).toMatchObject(before);

  const { features } = await ann.get<{ features: { id: string; properties: object }[] }>('/export?format=geojson');
  const { position: _position, ...properties } = before;
  expect(features.find(({ id }) => id === created.id)!.properties).toMatchObject(properties);
});

describe.each(fieldNames)('the field %s', (name) => {
  test('is changed, which is in the feed', async () => {
    const { id } = await create();
    const changed = await ann.change<Resource>(`/resources/${id}`, after(name));
    expect(changed).toMatchObject({ ...before, ...after(name) });
    // A move alone has another kind of entry.
    expect(await isUpdated(id)).toBe(name !== 'position');
    expect(await read(id)).toEqual(changed);
  });

  test('is cleared if it is optional', async () => {
    const { id } = await create();
    const answer = await ann.request({ method: 'PUT', path: `/resources/${id}`, body: { [name]: null } });
    const isOptional = resourceCreate.shape[name].safeParse(undefined).success;
    expect(answer.status).toBe(isOptional ? 200 : 400);
    expect(Object.keys(await read(id)).includes(name)).toBe(!isOptional);
  });

  test('is imported, and an undo restores it', async () => {
    const created = await create();
    const imported = await importOf(created.id, after(name));
    expect(await read(created.id)).toMatchObject({ ...before, ...after(name) });
    const undone = await actionsOf(ann).act(imported.id, 'undo');
    await actionsOf(ann).ended(undone.id);
    expect(await read(created.id)).toMatchObject(before);
  });

  test('is not written by an import of the same value', async () => {
    const created = await create();
    await importOf(created.id, sent(name, values[name][0]));
    expect(await read(created.id)).toEqual(created);
  });
});
