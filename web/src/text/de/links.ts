import { deviceCount, plural } from './plural.ts';

/** Texte der Links, über die andere einem Schwarm beitreten. */
export const links = {
  kind: {
    one: '{name} tritt {swarm} bei',
    one_done: '{name} in {swarm} aufgenommen',
    many: (count: number) => `Beitritt zu {swarm} mit ${deviceCount(count)}` as const,
    many_done: (count: number) => `${deviceCount(count)} in {swarm} aufgenommen` as const,
    failed: (count: number) =>
      plural(count, { one: '# Gerät ist nicht beigetreten', other: '# Geräte sind nicht beigetreten' }),
  },
} as const;
