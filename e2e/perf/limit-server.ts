/**
 * THE LIMIT: what a bare `node:http` server on the same store can do: SQLite with the same settings, or
 * PostgreSQL (`postgres://...`), without routes, keys or checks.
 * GET /one: a prepared point read as JSON. GET /list: 1,000 rows, stringified. POST /: one commit for each write. POST /messages: one
 * commit for all messages that wait.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { createRequire } from 'node:module';

/** Of the server, so that both use the same client. */
const { Pool } = createRequire(new URL('../../bff/package.json', import.meta.url))('pg') as {
  Pool: new (options: object) => { query(query: string | object): Promise<{ rows: unknown[] }> };
};

interface Store {
  add(name: string): unknown;
  one(): unknown;
  list(): unknown;
  /** In one commit. */
  addMessages(payloads: string[]): unknown;
}

const messageColumns = 'sender text NOT NULL, sent_at text NOT NULL, payload text NOT NULL';
const sentAt = '2026-01-02T03:04:05.678Z';

const columns = 'id, user_id, name, machine_type, description, longitude, latitude, created_at';
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
let count = 0;
const valuesOf = (name: string) => [
  idOf(count++),
  'limit',
  name,
  'bug',
  'Weather station',
  12.296 + count / 1e6,
  52.924,
  '2026-01-02T03:04:05.678Z',
];

function openSqlite(path: string): Store {
  const db = new DatabaseSync(path);
  db.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA mmap_size = 268435456',
  );
  db.exec(`CREATE TABLE resources (id TEXT NOT NULL PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL,
    machine_type TEXT NOT NULL, description TEXT, longitude REAL, latitude REAL, created_at TEXT NOT NULL)`);
  const insert = db.prepare('INSERT INTO resources VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const one = db.prepare(`SELECT ${columns} FROM resources WHERE id = ?`);
  const list = db.prepare(`SELECT ${columns} FROM resources ORDER BY id LIMIT 1000`);
  const add = (name: string) => insert.run(...valuesOf(name));
  db.exec('BEGIN');
  while (count < 1000) add(`Station ${count}`);
  db.exec('COMMIT');
  db.exec(`CREATE TABLE messages (seq INTEGER PRIMARY KEY, ${messageColumns})`);
  const addMessage = db.prepare('INSERT INTO messages (sender, sent_at, payload) VALUES (?, ?, ?)');
  const addMessages = (payloads: string[]) => {
    db.exec('BEGIN');
    for (const payload of payloads) addMessage.run('limit', sentAt, payload);
    db.exec('COMMIT');
  };
  return { add, one: () => one.get(idOf(500)), list: () => list.all(), addMessages };
}

/** With a pool of ten connections and prepared statements, as a careful program would. */
async function openPostgres(url: string): Promise<Store> {
  const pool = new Pool({ connectionString: url, max: 10 });
  await pool.query(`CREATE TABLE limit_resources (id text NOT NULL PRIMARY KEY, user_id text NOT NULL, name text NOT NULL,
    machine_type text NOT NULL, description text, longitude float8, latitude float8, created_at text NOT NULL)`);
  const insert = 'INSERT INTO limit_resources VALUES ($1, $2, $3, $4, $5, $6, $7, $8)';
  const add = (name: string) => pool.query({ name: 'insert', text: insert, values: valuesOf(name) });
  while (count < 1000) await add(`Station ${count}`);
  await pool.query(`CREATE TABLE limit_messages (seq bigserial PRIMARY KEY, ${messageColumns})`);
  const insertMessages = `INSERT INTO limit_messages (sender, sent_at, payload) SELECT 'limit', '${sentAt}', unnest($1::text[])`;
  const one = { name: 'one', text: `SELECT ${columns} FROM limit_resources WHERE id = $1`, values: [idOf(500)] };
  const list = { name: 'list', text: `SELECT ${columns} FROM limit_resources ORDER BY id LIMIT 1000` };
  return {
    add,
    one: async () => (await pool.query(one)).rows[0],
    list: async () => (await pool.query(list)).rows,
    addMessages: (payloads) => pool.query({ name: 'messages', text: insertMessages, values: [payloads] }),
  };
}

const where = process.argv[2]!;
const store = where.startsWith('postgres:') ? await openPostgres(where) : openSqlite(where);

let waiting: { payload: string; stored: () => void }[] = [];
let isStoring = false;
async function storeWaiting() {
  if (isStoring) return;
  isStoring = true;
  while (waiting.length > 0) {
    const now = waiting;
    waiting = [];
    await store.addMessages(now.map(({ payload }) => payload));
    for (const { stored } of now) stored();
  }
  isStoring = false;
}

const server = createServer((request, response) => {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.method === 'POST') {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (request.url === '/messages') {
        const payload = JSON.stringify((JSON.parse(text) as { payload: unknown }).payload);
        waiting.push({ payload, stored: () => send(201, { ok: true }) });
        // in this turn, all requests that have come are read
        setImmediate(() => void storeWaiting());
        return;
      }
      const { name } = JSON.parse(text) as { name: string };
      void Promise.resolve(store.add(name)).then(() => send(201, { name }));
    });
  } else if (request.url === '/list') {
    void Promise.resolve(store.list()).then((rows) => send(200, rows));
  } else {
    void Promise.resolve(store.one()).then((row) => send(200, row));
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
