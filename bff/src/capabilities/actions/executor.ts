import type { Database } from '../../core/store/database.ts';

/** A process that executes actions. */
export interface Executor {
  db: Database;
  /** Its id in `actions.taken_by`. */
  process: string;
  /** The time in so many seconds. */
  at: (seconds: number) => string;
}

/** No other process uses the database. */
export const isOnlyProcess = ({ db }: Pick<Executor, 'db'>): boolean => db.url.startsWith('file:');
