/** The same messages for devices that speak MQTT. */
import type { Declaration } from '../../core/declaration.ts';

export const mqttRows = {
  rates: {
    mqtt_packets: {
      who: 'device',
      what: 'packets by MQTT that are no requests, such as pings',
      most: 20,
      per: 'second',
      burst: 100,
    },
  },
} as const satisfies Declaration;
