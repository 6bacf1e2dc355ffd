import { deviceCount, plural } from './plural.ts';

/** Texts of the links by which others join a swarm. */
export const links = {
  kind: {
    one: '{name} joins {swarm}',
    one_done: '{name} joined {swarm}',
    many: (count: number) => `Joining {swarm} with ${deviceCount(count)}` as const,
    many_done: (count: number) => `${deviceCount(count)} joined {swarm}` as const,
    failed: (count: number) => plural(count, { one: '# device did not join', other: '# devices did not join' }),
  },
} as const;
