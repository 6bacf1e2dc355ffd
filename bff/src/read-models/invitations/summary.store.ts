/** All invitations that a user finds, as a number of devices and a list of swarms. */
import type { InboxSummary, InvitationRole } from '../../contract.ts';
import { allOf, join, listOf, raw, sql, type Sql } from '../../core/store/statement.ts';
import type { Reads } from '../caller.ts';
import type { InvitationMatches, Source } from './matches.store.ts';
import { readSlices, whereOf, type Range } from './slices.store.ts';
import { cardColumns, cardOf, type CardRow } from './swarm-card.store.ts';

/** SQL: the numbers of a group of invitations. Both invitations of a pair are counted, each for its role. */
const tallyOf = ({ owner, shown }: Source) => sql`max(i.last_known_name) AS last_known_name,
  max(${owner}) AS last_known_owner, count(*) FILTER (WHERE ${shown}) AS total,
  count(*) FILTER (WHERE i.resource_type IN ('producer', 'both')) AS producer,
  count(*) FILTER (WHERE i.resource_type IN ('consumer', 'both')) AS consumer`;

type Tally = Record<InvitationRole | 'total', number> & Pick<CardRow, 'last_known_name' | 'last_known_owner'>;
type Summary = Pick<InboxSummary, 'total' | 'devices' | 'swarms'>;

const summaryOf = ({ devices, swarms }: { devices: number; swarms: readonly (CardRow & Tally)[] }): Summary => ({
  total: swarms.reduce((sum, { total }) => sum + total, 0),
  devices,
  swarms: swarms.map((row) => ({ ...cardOf(row), producer: row.producer, consumer: row.consumer })),
});

/** All matching invitations, their devices and swarms. */
export async function summarise(options: { db: Reads; matches: InvitationMatches }): Promise<Summary> {
  const { db, matches } = options;
  if (matches.searching) return summariseFound(options);
  const inState = sql`i.status IN (${listOf(matches.statuses)}) AND ${matches.state}`;
  /** Each source is read on its own, because grouping the rows of both takes twice the time. */
  const found = (columns: (source: Source) => Sql, end = '') =>
    join(
      matches.sources.map((source) => {
        const where = allOf([source.scope, inState, source.rest]);
        return sql`SELECT ${columns(source)} FROM ${source.from} WHERE ${where} ${raw(end)}`;
      }),
      ' UNION ALL ',
    );
  const resources = found(() => raw('i.resource_id'));
  const countDevices = sql`SELECT count(DISTINCT resource_id) AS count FROM (${resources}) device`;
  const swarmsOf = (source: Source) => sql`i.swarm_id, ${tallyOf(source)}`;
  const selectSwarms = sql`SELECT * FROM (SELECT ${cardColumns}, (${matches.seesSwarm}) AS is_visible,
        o.last_known_name, o.last_known_owner, o.total, o.producer, o.consumer
      FROM (SELECT swarm_id, max(last_known_name) AS last_known_name, max(last_known_owner) AS last_known_owner,
          sum(total) AS total, sum(producer) AS producer, sum(consumer) AS consumer
        FROM (${found(swarmsOf, 'GROUP BY i.swarm_id')}) i GROUP BY swarm_id) o
        JOIN swarms s ON s.id = o.swarm_id) card
    ORDER BY lower(CASE WHEN is_visible THEN swarm_name ELSE last_known_name END), swarm_id`;
  const [devices, swarms] = await Promise.all([
    db.read<{ count: number }>(countDevices),
    db.read<CardRow & Tally>(selectSwarms),
  ]);
  return summaryOf({ devices: devices[0]?.count ?? 0, swarms });
}

/** The summary of a search, whose rows are read in slices. */
async function summariseFound({ db, matches }: { db: Reads; matches: InvitationMatches }): Promise<Summary> {
  const devices = new Set<string>();
  const tallies = new Map<string, Tally>();
  const ranges = matches.statuses.flatMap((status) =>
    matches.sources.map((source): Range => {
      const indexed = allOf([source.scope, sql`i.status = ${status}`]);
      return { source, status, indexed, rest: allOf([matches.state, source.rest]) };
    }),
  );
  async function read(slice: readonly Range[]): Promise<boolean> {
    const selects = slice.map(
      ({ source, ...range }) => sql`SELECT i.swarm_id, i.resource_id, ${tallyOf(source)} FROM ${source.from}
        WHERE ${whereOf(range)} GROUP BY i.swarm_id, i.resource_id`,
    );
    for (const row of await db.read<Tally & { swarm_id: string; resource_id: string }>(join(selects, ' UNION ALL '))) {
      const { swarm_id, resource_id, ...tally } = row;
      devices.add(resource_id);
      const before = tallies.get(swarm_id);
      if (!before) tallies.set(swarm_id, tally);
      else for (const name of ['total', 'producer', 'consumer'] as const) before[name] += tally[name];
    }
    return false;
  }
  await readSlices({ db, isSearch: true, ranges, read });
  const cards = await db.read<CardRow>(sql`SELECT ${cardColumns}, (${matches.seesSwarm}) AS is_visible FROM swarms s
    WHERE s.id IN (SELECT value FROM elements(${JSON.stringify([...tallies.keys()])}))`);
  const swarms = cards.map((card) => ({ ...card, ...tallies.get(card.swarm_id)! }));
  const keyOf = (row: CardRow) => (row.is_visible ? row.swarm_name : (row.last_known_name ?? '')).toLowerCase();
  return summaryOf({
    devices: devices.size,
    swarms: swarms.toSorted((a, b) =>
      keyOf(a) < keyOf(b) || (keyOf(a) === keyOf(b) && a.swarm_id < b.swarm_id) ? -1 : 1,
    ),
  });
}
