/**
 * A replacement for the clients of mosquitto with the options that the page of a device shows, for machines without them:
 * `bin/mosquitto_pub [options]`. Throws on unknown options, so that new ones are noticed.
 */
import { parseArgs } from 'node:util';
import mqtt from 'mqtt';

const { host, port, username, pw, topic, message, qos } = parseArgs({
  options: {
    host: { type: 'string', short: 'h', default: 'localhost' },
    port: { type: 'string', short: 'p', default: '1883' },
    'protocol-version': { type: 'string', short: 'V' },
    username: { type: 'string', short: 'u', default: '' },
    pw: { type: 'string', short: 'P', default: '' },
    qos: { type: 'string', short: 'q', default: '0' },
    topic: { type: 'string', short: 't', default: '' },
    message: { type: 'string', short: 'm' },
    verbose: { type: 'boolean', short: 'v' },
  },
}).values;
const client = await mqtt.connectAsync({ host, port: Number(port), protocolVersion: 5, username, password: pw });
client.on('message', (of, payload) => void process.stdout.write(`${of} ${payload.toString()}\n`));
if (message === undefined) await client.subscribeAsync(topic);
else {
  await client.publishAsync(topic, message, { qos: Number(qos) as 0 | 1 });
  await client.endAsync();
}
