import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer, origin, type TestServer, type TestUser } from '../tests/test-server.fixture.ts';
import { limits } from './field-rules.ts';
import { limitsOf, operationLimits, type OperationLimits } from './operation-limits.ts';

let server: TestServer;
let ann: TestUser;
beforeAll(async () => {
  server = await createTestServer();
  ann = await server.signUp('ann');
});
afterAll(() => server[Symbol.asyncDispose]());

interface Endpoint {
  operation: string;
  method: string;
  path: string;
}

/** The endpoints of service, gateway, screens, actions and sign-in. */
async function allEndpoints(): Promise<Endpoint[]> {
  const document = (await (await server.fetch('/service/openapi.json')).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const idOf = ({ method, path }: { method: string; path: string }) =>
    document.paths[path.replace('/service', '').replaceAll(/:(\w+)/g, '{$1}')]![method.toLowerCase()]!.operationId;
  return [...server.app.endpoints, ...server.app.signInEndpoints]
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => ({
      ...{ method, path },
      operation: path.startsWith('/service/') ? idOf({ method, path }) : `${method} ${path}`,
    }));
}

test('every endpoint has a row, and every row an endpoint', async () => {
  const names = (await allEndpoints()).map(({ operation }) => operation);
  // Whether a server has tiles is a setting.
  const tile = 'GET /api/tiles/:z/:x/:y';
  expect(Object.keys(operationLimits).toSorted()).toEqual([...new Set([...names, tile])].toSorted());
});

test('no endpoint reads more of a body than its row allows', async () => {
  const unending = { chunk: Buffer.alloc(16 * 1024, ' '), sent: 0 };
  for (const { operation, method, path } of await allEndpoints()) {
    if (method === 'GET') continue;
    unending.sent = 0;
    const body = new ReadableStream({
      pull(stream) {
        unending.sent += unending.chunk.length;
        stream.enqueue(unending.chunk);
      },
    });
    const concrete = path.replaceAll(/:\w+/g, '019a7c51-5d0e-7c1c-8a4e-3f6f0f2b9d10');
    const answer = await server.fetch(concrete, {
      ...{ method, body, duplex: 'half' },
      headers: {
        ...{ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin },
        ...(path.startsWith('/service') ? { 'x-serviceapikey': ann.key } : { cookie: ann.cookie }),
      },
    });
    expect(answer.status, operation).not.toBe(500);
    // Without a length, a body counts as a small one. Two chunks may be in the stream.
    const read = limitsOf(operation).body ? limits.bodyBytes : 0;
    expect(unending.sent, operation).toBeLessThanOrEqual(read + 2 * unending.chunk.length);
  }
});

/** The rows of the table, without the spaces that align its columns. */
function printed(): string[] {
  return Object.entries<OperationLimits>(operationLimits).map(([operation, { body, runs, rows }]) => {
    const sent = body ? `${body.bytes / 1024} KiB | ${body.items}` : ' | ';
    return `| \`${operation}\` | ${sent} | ${runs} | ${rows} |`.replaceAll(/ +/g, ' ');
  });
}

test('deploy/README.md has the table', async () => {
  const readme = await readFile(new URL('../../deploy/README.md', import.meta.url), 'utf8');
  const section = readme.split('\n## ').find((text) => text.startsWith('What a request may send and read'))!;
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual(printed());
});
