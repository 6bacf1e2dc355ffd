import { startPostgres } from './postgres.ts';
import type { PostgresServer } from './postgres.ts';

let server: PostgresServer;

/** Starts the server of the tests that run on PostgreSQL. Workers inherit its address. */
export async function setup() {
  server = await startPostgres();
  process.env.TEST_DATABASE_URL = server.url;
}

export const teardown = () => server.stop();
