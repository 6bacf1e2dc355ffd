import { expect, test } from '../fixtures.ts';

/** A report of the app OwnTracks. */
async function report(origin: string, { id, key }: { id: string; key: string }, body: object) {
  const answer = await fetch(`${origin}/service/owntracks/`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

test(
  'a phone shows how accurate its position is, and that its app encrypts',
  { tag: ['@long', '@once'] },
  async ({ user, server, home, device }) => {
    const phone = await user.add({ name: 'Phone of Ann', machine_type: 'smartphone' });
    const key = await user.createDeviceKey(phone);
    const send = (body: object) => report(server.origin, { id: phone.id, key }, body);
    await send({ _type: 'encrypted', data: 'AAAA' });
    await device.open(phone.id);
    await expect(device.encryptionNote).toBeVisible();

    const now = Math.floor(Date.now() / 1000);
    await send({ _type: 'location', lat: 53.5461, lon: 9.9662, acc: 40, batt: 81, vel: 5, tst: now - 600 });
    // What the phone says of itself is written with presence, once a minute.
    await expect(async () => {
      await device.open(phone.id);
      await expect(device.facts).toContainText('± 40 m');
      await expect(device.facts).toContainText('battery 81%', { timeout: 5000 });
    }).toPass();
    await expect(device.encryptionNote).toBeHidden();

    // An hour-old report does not move it.
    await send({ _type: 'location', lat: 10, lon: 10, acc: 5, batt: 81, vel: 5, tst: now - 3600 });
    await home.open({ map: '17/53.5461/9.9662', sel: phone.id });
    await expect(home.card).toContainText('± 40 m');
    await expect(home.card).toContainText(/position 1\d min ago/);
    await expect(home.card).toContainText('5 km/h');
    await expect(home.accuracyArea).toBeVisible();
  },
);
