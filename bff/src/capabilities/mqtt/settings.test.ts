import { expect, test } from 'vitest';
import { readConfig } from '../../core/config/config.ts';
import { readSettings, type MqttSettings } from './settings.ts';

const read = (env: Record<string, string>) =>
  readConfig({
    env: { DATA_DIR: '/data', ...env },
    clone: undefined,
    capabilities: { mqtt: { readSettings } },
  }).ofCapabilities['mqtt'] as MqttSettings;

test.each(['mqtts://devices.example.org:8883', 'mqtt://[2001:db8::1]', 'mqtt://192.0.2.1:1883'])(
  'MQTT_URL=%s is where devices connect',
  (text) => expect(read({ MQTT_URL: text }).url).toBe(text),
);

test.each(['devices.example.org:8883', 'https://a.example', 'mqtt://a:99999', 'mqtt://u@a', "mqtt://a';b"])(
  'MQTT_URL=%s is refused because it is no such address',
  (text) => expect(() => read({ MQTT_URL: text })).toThrow('MQTT_URL='),
);
