import { formatNumber, t } from '../text/text.ts';
import { Bdi, Rich } from '../ui/texts/rich.tsx';

/** So many groups are named. */
const mostNamed = 5;

interface Group {
  id: string;
  name: string;
  count: number;
}

/** How many of the items have each id, the largest first. */
export function countGroups(items: readonly { id: string; name: string }[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { id, name } of items) {
    const group = groups.get(id) ?? { id, name, count: 0 };
    group.count += 1;
    groups.set(id, group);
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
}

/** The largest groups with their counts. `line` is the text of one group, with `{name}`. */
export function CountList({ groups, line }: { groups: readonly Group[]; line(count: number): string }) {
  return (
    <ul>
      {groups.slice(0, mostNamed).map(({ id, name, count }) => (
        <li key={id}>
          <Rich text={line(count)} name={<Bdi>{name}</Bdi>} />
        </li>
      ))}
      {groups.length > mostNamed && <li>{t.bulk.more(formatNumber(groups.length - mostNamed))}</li>}
    </ul>
  );
}
