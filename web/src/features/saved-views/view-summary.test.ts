import { expect, test } from 'vitest';
import { suggestName, summaryOf } from './view-summary.ts';

const swarms = [{ id: 'w1', name: 'Harbour weather' }];
const summary = (url: string) =>
  summaryOf({ url, swarms })
    .map(({ text, quoted }) => (quoted ? `“${text}”` : text))
    .join(' · ');
const suggested = (url: string, ...taken: string[]) => suggestName({ shown: { url, swarms }, taken });

test('the summary of a list has its filters', () => {
  expect(summary('/')).toBe('All devices');
  expect(summary('/?map=5%2F52%2F13&sort=-changed')).toBe('All devices');
  expect(summary('/?machine_type=bug&q=harbour')).toBe('Bugs · “harbour”');
  expect(summary('/?machine_type=smartphone,pc&swarm=w1&placed=no&in_view=1')).toBe(
    'PCs · Smartphones · Harbour weather · No position · Only in view',
  );
  expect(summary('/?swarm=none&placed=yes&bbox=1,2,3,4')).toBe('No swarm · With position · Same location');
  expect(summary('/?swarm=other')).toBe('a swarm you can’t see');
});

test('the summary of a wall has its swarm and its layers', () => {
  expect(summary('/map')).toBe('Wall · All visible devices');
  expect(summary('/map?machine_type=')).toBe('Wall · Everything hidden');
  expect(summary('/swarms/w1/map?resource_type=producer&colour=heard&sel=a&follow=1')).toBe(
    'Wall · Harbour weather · sends · By last heard · Following a device',
  );
});

test('text from users is marked', () => {
  const typed = summaryOf({ url: '/?q=lamp&swarm=w1&placed=no', swarms }).map(({ others }) => others ?? false);
  expect(typed).toEqual([true, true, false]);
});

test('the suggested name is the summary, with a number if the name is taken', () => {
  expect(suggested('/?machine_type=bug&q=harbour')).toBe('Bugs · harbour');
  expect(suggested('/?machine_type=bug&q=harbour', 'bugs · HARBOUR ', 'Bugs · harbour 2')).toBe('Bugs · harbour 3');
  const long = suggested(`/?q=${'🐞'.repeat(80)}`, `${'🐞'.repeat(63)}…`);
  expect([...long]).toHaveLength(64);
  expect(long).toMatch(/… 2$/);
});
