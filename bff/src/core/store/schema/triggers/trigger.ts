/** What a trigger is, and the SQL that creates it in each store. */
import { sqliteText } from '../../sqlite/sqlite-text.ts';
import type { Store } from '../tables.ts';

/** The row before the change, or after it. */
export type RowName = 'old' | 'new';

/** Runs for each row. */
interface RowTrigger {
  name: string;
  /** When and where, such as `AFTER UPDATE OF state ON presence`. */
  on: string;
  /** An SQL condition. */
  when?: string;
  /** SQL statements that each end with a semicolon. */
  body: string;
}

/** Only in PostgreSQL: runs once for all rows of a statement. */
interface StatementTrigger extends Omit<RowTrigger, 'when'> {
  /** Which rows, and the name that they have in `body`. */
  rows: `${'OLD' | 'NEW'} TABLE AS ${string}`;
}

/** Only in PostgreSQL: runs for each row at the end of the transaction. */
interface CommitTrigger extends Omit<RowTrigger, 'when'> {
  isAtCommit: true;
}

export type Trigger = RowTrigger | StatementTrigger | CommitTrigger;

export function statementsOf(store: Store, trigger: Trigger): string[] {
  if (store === 'sqlite') return [sqliteTrigger(trigger)];
  if ('rows' in trigger) return statementTrigger(trigger);
  return 'isAtCommit' in trigger ? commitTrigger(trigger) : rowTrigger(trigger);
}

const sqliteTrigger = ({ name, on, when, body }: RowTrigger) =>
  `CREATE TRIGGER ${name} ${on} ${when ? `WHEN ${when}` : ''} BEGIN ${sqliteText(body)} END`;

/**
 * The function of a trigger has its name: `store/postgres/migrate.ts` deletes these before it creates them again. A connection
 * keeps the plans of a function. One that was made while a table had few rows would read all of them for each row of a large
 * transaction, and only the next `ANALYZE` ends it: so the plans use indexes.
 */
const functionOf = (name: string, body: string) =>
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$ BEGIN ${body} END $$`;

function rowTrigger({ name, on, when, body }: RowTrigger): string[] {
  const returned = on.startsWith('AFTER') ? 'NULL' : on.startsWith('BEFORE DELETE') ? 'old' : 'new';
  // PostgreSQL has no subqueries in a trigger's own condition.
  const isInBody = when?.includes('SELECT') === true;
  return [
    functionOf(name, `${isInBody ? `IF ${when} THEN ${body} END IF;` : body} RETURN ${returned};`),
    `CREATE TRIGGER ${name} ${on} FOR EACH ROW ${when && !isInBody ? `WHEN (${when})` : ''} EXECUTE FUNCTION ${name}()`,
  ];
}

const statementTrigger = ({ name, on, rows, body }: StatementTrigger): string[] => [
  functionOf(name, `${body} RETURN NULL;`),
  `CREATE TRIGGER ${name} ${on} REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
];

const commitTrigger = ({ name, on, body }: CommitTrigger): string[] => [
  functionOf(name, `${body} RETURN NULL;`),
  `CREATE CONSTRAINT TRIGGER ${name} ${on} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${name}()`,
];
