import { expect, test } from 'vitest';
import { createWriteTurns } from './write-turns.ts';

const write = (user: string | undefined, name: string, rows = 1) => ({
  name,
  statements: [{ sql: 'SELECT 1' }, { sql: 'SELECT 2', rows, ...(user !== undefined && { user }) }],
});
const many = (user: string, count: number, rows?: number) =>
  Array.from({ length: count }, (_, index) => write(user, `${user}${index}`, rows));

function turnsOf(writes: ReturnType<typeof write>[], most = { writes: 4, cost: 1000 }) {
  const turns = createWriteTurns<ReturnType<typeof write>>(most);
  for (const each of writes) turns.add(each);
  const next = () => {
    const batch = turns.take();
    turns.end(batch);
    return batch.map(({ name }) => name);
  };
  return { turns, next };
}

test('a batch has a write of each user before a second one, and those of a user in their order', () => {
  const { next } = turnsOf([...many('ann', 5), ...many('ben', 2), write('cleo', 'cleo0')]);
  expect([next(), next(), next()]).toEqual([['ann0', 'ben0', 'cleo0', 'ann1'], ['ben1', 'ann2', 'ann3', 'ann4'], []]);
});

test('writes without a user have a turn of their own', () => {
  const { next } = turnsOf([...many('ann', 4), write(undefined, 'server')]);
  expect(next()).toEqual(['ann0', 'server', 'ann1', 'ann2']);
});

test('a batch ends with the write that reaches its cost', () => {
  const { next } = turnsOf([...many('ann', 3, 50), ...many('ben', 2)], { writes: 10, cost: 100 });
  expect([next(), next(), next()]).toEqual([['ann0', 'ben0', 'ann1'], ['ben1', 'ann2'], []]);
});

test('a large write is alone in its batch, after the small ones of users who have used less', () => {
  const { next } = turnsOf([...many('ann', 3, 500), ...many('ben', 2)]);
  expect([next(), next(), next(), next()]).toEqual([['ann0'], ['ben0', 'ben1'], ['ann1'], ['ann2']]);
});

test('who comes goes before those who have used more than their share, and who was idle has saved nothing up', () => {
  const { turns, next } = turnsOf([...many('ann', 6, 1000), write('ben', 'ben0')], { writes: 1000, cost: 1000 });
  expect([next(), next(), next()]).toEqual([['ann0'], ['ben0'], ['ann1']]);
  for (const each of many('cleo', 2)) turns.add(each);
  expect([next(), next()]).toEqual([['cleo0', 'cleo1'], ['ann2']]);
  for (const each of [...many('ben', 1), ...many('dora', 1)]) turns.add(each);
  expect([next(), next(), next()]).toEqual([['ben0', 'dora0'], ['ann3'], ['ann4']]);
});

test('writes that are put back come next, and cost nothing', () => {
  const { turns, next } = turnsOf([...many('ann', 4), ...many('ben', 4)]);
  const batch = turns.take();
  turns.end(batch, batch.slice(1));
  expect(turns.length).toBe(7);
  expect(next()).toEqual(['ben0', 'ann1', 'ben1', 'ann2']);
});
