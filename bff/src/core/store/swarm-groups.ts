/** Swarms of a list that are read at once: so many, with so many members together. */
export const readAtOnce = { swarms: 100, members: 1000 };

/** Consecutive swarms that are read together. A larger one is alone. */
export function readGroupsOf<T extends { members: number }>(swarms: readonly T[]) {
  const groups: [T, ...T[]][] = [];
  let sum = Infinity;
  for (const swarm of swarms) {
    sum += swarm.members;
    const last = groups.at(-1);
    if (last && sum <= readAtOnce.members && last.length < readAtOnce.swarms) last.push(swarm);
    else {
      groups.push([swarm]);
      sum = swarm.members;
    }
  }
  return groups;
}
