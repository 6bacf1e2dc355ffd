import type { SettingSource } from '../../core/config/config.ts';
import { readAddress } from '../../core/config/setting-values.ts';

export type MqttSettings = ReturnType<typeof readSettings>;

export const readSettings = ({ setting }: SettingSource) => ({
  /** Undefined if nothing listens. */
  address: setting('MQTT', undefined, readAddress, 'an address and a port, like 127.0.0.1:1883 or [::1]:1883'),
  /** Where devices connect, if it is not this address: that of a proxy, for example. */
  url: setting(
    'MQTT_URL',
    undefined,
    (text) => (/^mqtts?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(text) && URL.canParse(text) ? text : undefined),
    'an address like mqtts://devices.example.org:8883',
  ),
});
