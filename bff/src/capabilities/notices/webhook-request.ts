import { createHmac } from 'node:crypto';
import type { DeliveryRow } from './deliveries.store.ts';

/** The signed request that sends a notice to the webhook of its user. */
export function webhookRequestOf(
  row: DeliveryRow,
  { url, secret, feedName, at }: { url: string; secret: string; feedName: string; at: Date },
) {
  // Another one in a database that was restored.
  const id = `${feedName}-${row.seq}`;
  const body = bodyOf(row, id);
  const time = Math.floor(at.getTime() / 1000);
  const signatureOf = (text: string) => createHmac('sha256', secret).update(text);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'swarmdeck',
    'x-swarmdeck-signature': `t=${time},v1=${signatureOf(`${time}.${body}`).digest('hex')}`,
    // https://www.standardwebhooks.com: its libraries verify them. All tries of a delivery have the same id.
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${signatureOf(`${id}.${time}.${body}`).digest('base64')}`,
  };
  return { url, headers, body };
}

function bodyOf(row: DeliveryRow, id: string): string {
  const { kind, at, resource_id, resource_name, swarm_id, swarm_name, amount, detail } = row;
  return JSON.stringify({
    id,
    kind,
    at,
    ...(amount !== null && { amount }),
    ...(resource_id !== null && {
      resource: { id: resource_id, ...(resource_name !== null && { name: resource_name }) },
    }),
    ...(swarm_id !== null && { swarm: { id: swarm_id, name: swarm_name } }),
    ...(detail !== null && { detail }),
  });
}
