import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Resource, ResourceUpdate } from '@swarmdeck/bff/contract';

/** A device in the field: it uses its key and its own id, without a browser. */
export function connectDevice({ origin, key, id }: { origin: string; key: string; id: string }) {
  const url = `${origin}/service/resources/${id}`;
  const headers = { 'x-serviceapikey': key, 'content-type': 'application/json' };

  async function answerOf(response: Response) {
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as Resource;
  }

  return {
    read: async () => answerOf(await fetch(url, { headers: { 'x-serviceapikey': key } })),
    put: async (change: ResourceUpdate) =>
      answerOf(await fetch(url, { method: 'PUT', headers, body: JSON.stringify(change) })),
  };
}

/** A process that reads the messages of a device. Returns a function that kills it, as when the device is unplugged. */
export function plugIn({ origin, key, id }: { origin: string; key: string; id: string }) {
  const headers = { 'x-serviceapikey': key, accept: 'application/x-ndjson' };
  const url = `${origin}/service/resources/${id}/messages`;
  const script = `const { body } = await fetch('${url}', { headers: ${JSON.stringify(headers)} }); for await (const _ of body);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  return async () => {
    child.kill('SIGKILL');
    await exited;
  };
}
