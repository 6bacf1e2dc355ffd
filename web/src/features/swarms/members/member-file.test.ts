import { expect, test } from 'vitest';
import type { Member } from '@swarmdeck/bff/contract';
import { memberFile } from './member-file.ts';

const member = {
  id: 'm1',
  name: '=Buoy',
  machine_type: 'bug',
  user_id: '-ann',
  resource_type: 'producer',
  swarms: [],
  position: { longitude: 8, latitude: 54 },
} as unknown as Member;

test('a file of members has their owners and roles, and no cell is a formula', () => {
  expect(memberFile('csv', [member])).toEqual([
    '\uFEFFid,name,machine_type,description,longitude,latitude,positioned_at,accuracy,expected_every,keep_track,keep_values,changed_at,user_id,resource_type\r\n',
    "m1,'=Buoy,bug,,8,54,,,,,,,'-ann,producer\r\n",
  ]);
  const { features } = JSON.parse(memberFile('geojson', [member]).join('')) as { features: object[] };
  expect(features).toMatchObject([
    { id: 'm1', properties: { name: '=Buoy', user_id: '-ann', resource_type: 'producer' } },
  ]);
});

test('another user’s name is no formula behind a separator of another language', () => {
  const [, line] = memberFile('csv', [{ ...member, name: 'x;=cmd', description: 'y\t@cmd' }]);
  expect(line).toBe(`m1,"x;'=cmd",bug,"y\t'@cmd",8,54,,,,,,,'-ann,producer\r\n`);
});
