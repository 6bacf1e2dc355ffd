import { expect, test } from '../fixtures.ts';
import { MessagesPart } from '../pages/messages.part.ts';
import { runLine } from '../run-line.ts';

test(
  'a device is connected, talks, and is heard',
  { tag: '@once' },
  async ({ page, user, home, device, swarm, owner, step }) => {
    const messages = new MessagesPart(page);
    const gauge = await user.add({ name: 'Tide gauge 7', machine_type: 'bug' });
    const display = await user.add({ name: 'Harbour display', machine_type: 'pc' });
    const rain = await user.add({ name: 'Rain gauge 2', machine_type: 'bug' });
    const made = await user.createSwarm({ name: 'River levels', description: '' });
    let curl = '';

    await step('a device that is in no swarm cannot send yet', async () => {
      await device.open(gauge.id);
      await expect(messages.box).toContainText('as soon as it joins a swarm and sends there');
      curl = await messages.connect();
      await expect(messages.dialog).toContainText('sends to no swarm yet');
      const refused = await runLine(curl);
      expect(refused).toContain('message.not_producer');
    });
    await user.join(made, { resource_id: gauge.id, resource_type: 'producer' });
    await user.join(made, { resource_id: rain.id, resource_type: 'producer' });
    await user.join(made, { resource_id: display.id, resource_type: 'consumer' });
    await step('the page says when the same code has worked', async () => {
      await expect(messages.dialog).toContainText('Waiting for the first message…');
      const sent = await runLine(curl);
      expect(sent).toContain(made.id);
      await expect(messages.dialog).toContainText(/Connected: first message (now|.* ago)/);
      await messages.chooseCode('Python');
      await expect(messages.dialog).toContainText('urlopen');
    });
    await step('the code for MQTT sends a message too', async () => {
      await runLine(await messages.mqttCode());
      await messages.confirmStored();
      await expect(messages.keys).toContainText('Tide gauge 7');
    });
    await step('phones report their position as this device, until its owner stops all of them', async () => {
      const share = async () => {
        await messages.startSharing();
        const report = await messages.share();
        const reported = await report();
        expect(reported).toBe(200);
        await expect(messages.dialog).toContainText('Connected: the key is in use');
        await messages.closeSharing();
        return report;
      };
      const reports = [await share(), await share()];
      await expect(messages.keys).toContainText('Until you stop sharing');
      await messages.stopSharing();
      await expect(messages.keys).not.toContainText('Until you stop sharing');
      const refused = await Promise.all(reports.map((report) => report()));
      expect(refused).toEqual([401, 401]);
    });
    await step('the last payload is a table', async () => {
      await expect(messages.value('temperature')).toContainText('21.5');
    });
    await step('the owner sends as the device, to one other device', async () => {
      await messages.startSending();
      await messages.fillIn({ payload: '{temperature: 23}' });
      await messages.send();
      await expect(messages.dialog).toContainText('This is not valid JSON.');
      await messages.fillIn({ payload: '{"temperature":23}', swarm: 'River levels', to: 'Harbour display' });
      await expect(messages.dialog).not.toContainText('This is not valid JSON.');
      await messages.send();
      await expect(messages.dialog).toBeHidden();
      await expect(messages.sent).toHaveText('Sent to Harbour display');
      await expect(messages.value('temperature')).toContainText('23');
    });
    await step('the swarm shows what is said, live', async () => {
      await swarm.open(made.id, '?tab=messages');
      await expect(messages.newest).toContainText('Tide gauge 7 to Harbour display');
      await expect(messages.talk).toContainText('users with a device that receives here see these messages');
      await runLine(curl.replace('21.5', '24'));
      await expect(messages.newest).toContainText('{"temperature":24}');
    });
    await step('a message unfolds', async () => {
      await messages.newest.press('Enter');
      await expect(messages.dialog).toContainText('"temperature": 24');
      await page.keyboard.press('Escape');
    });
    await step('a number has all digits that were sent, and what MQTT 5 knows of a message is beside it', async () => {
      const properties = '"properties":{"content_type":"text/json","user_properties":{"unit":"mK"}}';
      await runLine(curl.replace('21.5', '1234567890123456789').replace('{"payload"', `{${properties},"payload"`));
      await expect(messages.newest).toContainText('{"temperature":1234567890123456789}');
      await messages.newest.press('Enter');
      await expect(messages.dialog).toContainText('"temperature": 1234567890123456789');
      await expect(messages.property('Content type')).toContainText('text/json');
      await expect(messages.property('unit')).toContainText('mK');
      await page.keyboard.press('Escape');
      await runLine(curl.replace('21.5', '24'));
      await expect(messages.newest).toContainText('{"temperature":24}');
    });
    await step('a paused list waits', async () => {
      await messages.pause();
      await runLine(curl.replace('21.5', '25'));
      await expect(messages.talk).toContainText('Paused');
      // In a live list, it has arrived.
      const other = await page.context().newPage();
      await other.goto(page.url());
      await expect(new MessagesPart(other).newest).toContainText('{"temperature":25}');
      await other.close();
      await expect(messages.newest).toContainText('{"temperature":24}');
      await messages.resume();
      await expect(messages.newest).toContainText('{"temperature":25}');
    });
    await step('a search finds older messages, which do not move, and ends', async () => {
      await messages.search('24');
      await expect(messages.talk).toContainText('2 messages found. New ones are not added.');
      await expect(messages.newest).toContainText('{"temperature":24}');
      await runLine(curl.replace('21.5', '24.5'));
      const file = await messages.export('CSV');
      const lines = file.trimEnd().split('\r\n');
      expect(lines[0]).toContain('sent_at,from_name,from,to_name,to,payload,message_id');
      expect(lines.slice(1).map((line) => line.match(/\{.*\}/)![0])).toEqual([
        '{""temperature"":24}',
        '{""temperature"":24}',
        '{""temperature"":24.5}',
      ]);
      await expect(messages.talk).toContainText('2 messages found');
      await messages.searchUntil('2026-01-02T03:04:05');
      await expect(messages.talk).toContainText('No messages match.');
      await messages.endSearch();
      await expect(messages.newest).toContainText('{"temperature":24.5}');
    });
    await step('a file has one message in a line', async () => {
      const file = await messages.export('JSON');
      const sent = file
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { payload: object });
      expect(sent.at(-1)!.payload).toEqual({ temperature: 24.5 });
    });
    await step('a consumer says from how many it receives', async () => {
      await device.open(display.id);
      await expect(messages.box).toContainText('This device only receives.');
      await messages.openSwarm('Receives what 2 devices send in River levels');
      await expect(messages.newest).toContainText('{"temperature":24.5}');
    });
    await step('the page of a device finds its messages by text and time', async () => {
      await device.open(gauge.id);
      await messages.search('24.5');
      await expect(messages.box).toContainText('1 message found. New ones are not added.');
      await messages.newest.press('Enter');
      await expect(messages.dialog).toContainText('"temperature": 24.5');
      await page.keyboard.press('Escape');
      await messages.searchUntil('2026-01-02T03:04:05');
      await expect(messages.box).toContainText('No messages match.');
      await messages.endSearch();
      await expect(messages.value('temperature')).toContainText('24.5');
      await swarm.open(made.id, '?tab=messages');
    });
    await step('the list of one device', async () => {
      await user.sendAs(rain, { level: 3 });
      await expect(messages.newest).toContainText('Rain gauge 2');
      await messages.showOnly('Tide gauge 7');
      await expect(page).toHaveURL(new RegExp(`from=${gauge.id}`));
      await expect(messages.newest).toContainText('{"temperature":24.5}');
      await expect(messages.list).not.toContainText('Rain gauge 2');
    });
    await step('a phone is added as a device of its own', async () => {
      await home.open();
      await home.startAdding();
      await home.addPhone();
      const report = await messages.share();
      const reported = await report();
      expect(reported).toBe(200);
      await expect(messages.dialog).toContainText('Connected: the key is in use');
      await messages.closeSharing();
      await expect(page).toHaveTitle(/My phone/);
      await expect(messages.keys).toContainText('Until you stop sharing');
    });
    await step('a member that only sends does not see what others say', async () => {
      const theirs = await owner.createSwarm({ name: 'Harbour weather', description: '' });
      await owner.invite(theirs, { to: user.name, resource_id: gauge.id, resource_type: 'producer' });
      await user.answerAll('accept');
      await swarm.open(theirs.id, '?tab=messages');
      await expect(messages.denied).toBeVisible();
      await messages.showSentBy('Tide gauge 7');
      await expect(messages.talk).toContainText('This device has not sent anything in the last 24 hours.');
    });
  },
);
