import { expect, test } from 'vitest';
import { sharedPath } from './shared-path.ts';

const origin = 'https://devices.example';
const join = `${origin}/join/abc.def`;

test.each([
  [{ url: join }, '/join/abc.def'],
  [{ text: `Please join us:\n${join}\nThanks` }, '/join/abc.def'],
  [
    { title: 'Invite', text: `See https://elsewhere.example/x and ${origin}/invite?to=ann&resource=3f5` },
    '/invite?to=ann&resource=3f5',
  ],
  [{ text: `Look (${origin}/view#abc).` }, '/view#abc).'],
  [{ url: `${origin}/view%23abc` }, '/view#abc'],
  [{ text: 'https://devices.example.evil/join/abc' }, undefined],
  [{ text: `${origin}//evil.example/x` }, undefined],
  [{ text: `${origin}/share?url=${encodeURIComponent(join)}` }, undefined],
  [{ text: 'javascript:alert(1) no link' }, undefined],
  [{}, undefined],
])('of %j, the app opens %s', (shared: Record<string, string>, path) => {
  expect(sharedPath({ search: `?${new URLSearchParams(shared)}`, origin })).toBe(path);
});
