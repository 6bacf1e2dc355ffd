import { env } from 'node:process';
import { migrate } from './postgres/migrate.ts';

/** Creates all tables once, in the database that the tests on PostgreSQL copy (store.fixture.ts). */
export async function setup() {
  const url = env['TEST_DATABASE_TEMPLATE'];
  if (url !== undefined) await migrate({ url });
}
