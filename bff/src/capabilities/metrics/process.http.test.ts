import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSender, runToEnd, startServer, temporaryDataDir } from '../../tests/process.fixture.ts';

test('an address for the metrics that is in use is refused, and nothing is created', async () => {
  using folder = temporaryDataDir();
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const METRICS = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const dataDir = join(folder.dataDir, 'new');
  const { code, stderr } = await runToEnd({ script: 'main.ts', dataDir, env: { METRICS } });
  other.close();
  expect(stderr).toBe(
    `Swarmdeck did not start. These settings cannot be used:\n  METRICS="${METRICS}": the address is in use\n`,
  );
  expect(code).toBe(1);
  expect(() => statSync(dataDir)).toThrow('ENOENT');
});

test('metrics have an address of their own, and lines of requests are written before the end', async () => {
  using folder = temporaryDataDir();
  const env = { METRICS: '127.0.0.1:0', LOG_REQUESTS: 'all', LOG_LEVEL: 'info' };
  await using server = await startServer({ ...folder, env });
  const send = createSender(server.origin);
  expect(await send({ path: '/healthz' })).toMatchObject({ status: 200 });
  expect(await send({ path: '/metrics' })).not.toMatchObject({ body: expect.stringContaining('swarmdeck_') });
  const { origin, pathname } = new URL(server.metrics!);
  expect(await createSender(origin)({ path: pathname })).toMatchObject({
    status: 200,
    body: expect.stringContaining('_count{operation="/healthz",method="GET",status="200"} 1\n'),
  });
  const { code, stderr } = await server.end('SIGTERM');
  expect(code).toBe(0);
  const lines = stderr.split('\n').filter((line) => line.includes('"message":"request"'));
  expect(lines.map((line) => (JSON.parse(line) as { operation: string }).operation)).toContain('/healthz');
});
