import { expect, test } from 'vitest';
import { startServer, temporaryDataDir } from '../../tests/process.fixture.ts';

test('the address of MQTT is printed and logged, in front of that of the server', async () => {
  using folder = temporaryDataDir();
  await using server = await startServer({ ...folder, env: { MQTT: '127.0.0.1:0', LOG_LEVEL: 'info' } });
  const { stdout, stderr } = await server.end('SIGTERM');
  const [, mqtt] = /^MQTT is at (mqtt:\/\/\S+:\d+)$/m.exec(stdout)!;
  const listening = stderr.split('\n').find((line) => line.includes('"listening"'))!;
  expect(JSON.parse(listening)).toMatchObject({ url: server.origin, mqtt });
});
