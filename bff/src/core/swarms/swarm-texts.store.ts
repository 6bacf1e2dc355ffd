import type { Database } from '../store/database.ts';
import type { SwarmRow } from '../store/row-types.ts';
import { nameKey, searchText } from '../store/search-text.ts';
import type { Statement } from '../store/statement.ts';

type Texts = Pick<SwarmRow, 'id' | 'name' | 'description'>;

/** Stores the texts by which a swarm is sorted and found: the sort key of its name, and its folded name and description. */
export const foldedTexts = ({ name, description }: Omit<Texts, 'id'>): [nameKey: string, searchText: string] =>
  // A word has no line break, so none is found partly in the name and partly in the description.
  [nameKey(name), `${searchText(name)}\n${searchText(description)}`];

/** Stores the folded texts of a swarm in the write that creates or changes it: the database cannot fold them. */
export const storeTexts = (swarm: Texts): Statement => ({
  sql: `INSERT INTO swarm_texts (swarm_id, name_key, search_text) VALUES ($1, $2, $3)
        ON CONFLICT (swarm_id) DO UPDATE SET name_key = excluded.name_key, search_text = excluded.search_text`,
  params: [swarm.id, ...foldedTexts(swarm)],
});

const atOnce = 200;

/** Stores the folded texts of the swarms that an earlier version has stored. */
export async function storeMissingTexts(db: Database): Promise<void> {
  for (;;) {
    const swarms = await db.read<Texts>({
      sql: `SELECT s.id, s.name, s.description FROM swarms s
            WHERE NOT EXISTS (SELECT 1 FROM swarm_texts t WHERE t.swarm_id = s.id) LIMIT ${atOnce}`,
      isLong: true,
    });
    // A swarm that was changed or deleted meanwhile is left as it is.
    const missing = swarms.map((swarm): Statement => ({
      sql: `INSERT INTO swarm_texts (swarm_id, name_key, search_text) SELECT id, $2, $3 FROM swarms
            WHERE id = $1 AND name = $4 AND description = $5 ON CONFLICT (swarm_id) DO NOTHING`,
      params: [swarm.id, ...foldedTexts(swarm), swarm.name, swarm.description],
    }));
    await db.write(missing);
    if (swarms.length < atOnce) return;
  }
}
