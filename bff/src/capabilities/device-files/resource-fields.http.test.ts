import { expect, test } from 'vitest';
import type { Resource } from '../../contract.ts';
import { before } from '../../tests/resource-fields.fixture.ts';
import { signUpClient } from '../../tests/service-client.fixture.ts';
import { createTestServer } from '../../tests/test-server.fixture.ts';
import { readDevices, type DeviceRecord } from './device-import.ts';

test('an exported file has all fields that an import reads', async () => {
  await using server = await createTestServer();
  const ann = await signUpClient(server, 'ann');
  const created = await ann.make<Resource>('/resources', before);
  const file = await (await ann.request({ path: '/export?format=csv' })).text();
  const records: DeviceRecord[] = [];
  for await (const record of readDevices(file)) records.push(record);
  const ofCreated = records.find((record) => 'row' in record && record.update?.id === created.id);
  expect(ofCreated).toMatchObject({ row: before, update: { change: before } });
});
