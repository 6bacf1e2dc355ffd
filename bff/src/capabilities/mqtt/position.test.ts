import { expect, test } from 'vitest';
import { positionRequest } from './position.ts';

const put = (payload: string) => positionRequest('position', Buffer.from(payload));

test('a position is read from what a tracker sends, and a report of OwnTracks is passed on', () => {
  const tracker = { longitude: 8, latitude: 54, gps_accuracy: 3, battery: 80 };
  const body = JSON.stringify({ position: { longitude: 8, latitude: 54 }, accuracy: 3 });
  expect(put(JSON.stringify(tracker))).toEqual({ of: 'device', path: '', method: 'PUT', body });
  expect(put('null')).toEqual({ of: 'device', path: '', method: 'PUT', body: '{"position":null}' });
  const texts = { longitude: '8.50', latitude: '-54', accuracy: '3.0' };
  expect(put(JSON.stringify(texts))).toMatchObject({
    body: JSON.stringify({ position: { longitude: 8.5, latitude: -54 }, accuracy: 3 }),
  });
  expect(put('{"longitude":"008","latitude":54}')).toMatchObject({
    body: '{"position":{"longitude":"008","latitude":54}}',
  });
  const report = '{"_type":"location","lat":54,"lon":8}';
  expect(put(report)).toEqual({ of: 'service', path: '/owntracks', method: 'POST', body: report });
});

test.each([
  ['is no JSON', '8,54'],
  ['is nested so deeply that it could not be written again', `{"longitude":${'['.repeat(9000)}${']'.repeat(9000)}}`],
  ['has a name twice', '{"longitude":8,"longitude":9,"latitude":54}'],
])('a position that %s is refused by the service, which gets it as it is', (_, payload) => {
  expect(put(payload)).toEqual({ of: 'device', path: '', method: 'PUT', body: payload });
});
