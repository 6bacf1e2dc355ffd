/**
 * THE LIMIT: what a bare `node:http` server on the same SQLite settings can do, without routes, keys or checks.
 * GET /one: a prepared point read as JSON. GET /list: 1,000 rows, stringified. POST /: one commit for each write.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

const db = new DatabaseSync(process.argv[2]!);
db.exec(
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; PRAGMA mmap_size = 268435456',
);
db.exec(`CREATE TABLE resources (id TEXT NOT NULL PRIMARY KEY, user_id TEXT NOT NULL, name TEXT NOT NULL,
  machine_type TEXT NOT NULL, description TEXT, longitude REAL, latitude REAL, created_at TEXT NOT NULL)`);
const insert = db.prepare('INSERT INTO resources VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
const columns = 'id, user_id, name, machine_type, description, longitude, latitude, created_at';
const one = db.prepare(`SELECT ${columns} FROM resources WHERE id = ?`);
const list = db.prepare(`SELECT ${columns} FROM resources ORDER BY id LIMIT 1000`);
const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

let count = 0;
const add = (name: string) =>
  insert.run(
    idOf(count++),
    'limit',
    name,
    'bug',
    'Weather station',
    12.296 + count / 1e6,
    52.924,
    '2026-01-02T03:04:05.678Z',
  );
db.exec('BEGIN');
while (count < 1000) add(`Station ${count}`);
db.exec('COMMIT');

const server = createServer((request, response) => {
  const send = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  if (request.method === 'POST') {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const { name } = JSON.parse(text) as { name: string };
      add(name);
      send(201, { name });
    });
  } else if (request.url === '/list') {
    send(200, list.all());
  } else {
    send(200, one.get(idOf(500)));
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
