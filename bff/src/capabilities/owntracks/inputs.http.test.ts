/** What the app sent, and what must come of it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Resource } from '../../contract.ts';
import { signUpClient } from '../../tests/service-client.fixture.ts';
import { createTestServer } from '../../tests/test-server.fixture.ts';

const folder = join(import.meta.dirname, '../../../../e2e/data/inputs/owntracks');

test('control-in-ssid.json is a position: what is not used is not checked', async () => {
  await using server = await createTestServer();
  const ann = await signUpClient(server, 'ann');
  const { id } = await ann.device();
  const { key } = await server.app.operator.createDeviceKey({ device: id, name: 'k' });
  const body = readFileSync(join(folder, 'control-in-ssid.json'), 'utf8');
  const headers = {
    authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  const answer = await server.fetch('/service/owntracks', { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  expect((await ann.get<Resource>(`/resources/${id}`)).position).toEqual({ longitude: 10, latitude: 13.5 });
});

test('every input has its test', () => {
  expect(readdirSync(folder)).toEqual(['control-in-ssid.json']);
});
