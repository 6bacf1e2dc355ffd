import { expect, test } from '../fixtures.ts';

test(
  'a device that is refused says so on its page and in the list, until it is right',
  { tag: '@once' },
  async ({ user, server, home, device }) => {
    const gauge = await user.add({ name: 'Gauge', machine_type: 'bug' });
    await user.add({ name: 'Buoy', machine_type: 'bug' });
    const swarm = await user.createSwarm({ name: 'Harbour weather', description: 'Wind on every quay' });
    await user.join(swarm, { resource_id: gauge.id, resource_type: 'consumer' });
    const right = await user.createDeviceKey(gauge);
    const send = async (key: string) => {
      const answer = await fetch(`${server.origin}/service/resources/${gauge.id}/messages`, {
        method: 'POST',
        headers: { 'x-serviceapikey': key, 'content-type': 'application/json' },
        body: '{"payload":{"level":2.4}}',
      });
      return answer.status;
    };
    await device.open(gauge.id);
    expect([await send(right), await send('wrong')]).toEqual([403, 401]);
    // By itself.
    await expect(device.refused('it only receives in Harbour weather')).toBeVisible();
    await expect(device.wrongKeys).toBeVisible();

    await home.open();
    await expect(home.row('Gauge')).toContainText('Refused');
    await expect(home.row('Buoy')).not.toContainText('Refused');
    await home.toggle('Refused');
    await expect(home.row('Gauge')).toBeVisible();
    await expect(home.row('Buoy')).toBeHidden();

    await user.join(swarm, { resource_id: gauge.id, resource_type: 'producer' });
    await device.open(gauge.id);
    await expect(device.refused('')).toBeVisible();
    const accepted = await send(right);
    expect(accepted).toBe(201);
    await expect(device.refused('')).toBeHidden();
    await expect(device.wrongKeys).toBeVisible();
  },
);
