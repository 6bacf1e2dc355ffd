/** The same messages for devices that speak MQTT. */
import type { Declaration } from '../../core/declaration.ts';
import { askedAtOnce } from '../../core/http/ended-credentials.ts';
import { few } from '../../core/limits/job-rows.ts';
import { messageLimits } from '../../core/limits/field-rules.ts';
import { mqttLimits } from './limits.ts';

declare module '../../core/contract/web-api.ts' {
  interface DeviceAddresses {
    /** `mqtt://` or, with TLS, `mqtts://`; absent if there is no MQTT. */
    mqtt?: string;
  }
}

export const mqttRows = {
  jobs: {
    /** The keys of the open connections. */
    mqttKeys: { rows: askedAtOnce, KiB: 64, statements: 0, in: ['capabilities/mqtt/mqtt.ts'] },
    /** Wills are messages like those by HTTP, of which one statement writes many. */
    mqttWills: { ...few, rows: 200, KiB: 256 },
  },
  rates: {
    mqtt_packets: {
      who: 'device',
      what: 'packets by MQTT that are no requests, such as pings',
      most: 20,
      per: 'second',
      burst: 100,
    },
  },
  limitsTable: ({ inDigits, inMiB, burstOf }) => ({
    title: 'MQTT',
    rows: [
      [
        'connections of a process; of a device; of a user',
        `${inDigits(mqttLimits.connections)}; ${messageLimits.streamsOfDevice}; ${inDigits(messageLimits.connectionsOfUser)} to a process`,
      ],
      ['a packet', `${(messageLimits.payloadBytes + mqttLimits.besidePayload) / 1024} KiB`],
      ['publications that are written at once', `${mqttLimits.inFlight} of a connection`],
      ['publications of quality 2 without `PUBREL`', `${mqttLimits.unreleased} of a connection`],
      [
        "wills of a user's connections; the delay of one",
        `${inMiB(mqttLimits.willBytes)}; ${mqttLimits.willDelay / 3600} hours`,
      ],
      ['messages of a device in a second; other packets', `${burstOf('device')}; ${burstOf('mqtt_packets')}`],
      ['read and not handled of devices beyond this rate', `${inMiB(mqttLimits.pausedBytes)} of a user`],
      [
        'time until `CONNECT`; connections that wait for it',
        `${mqttLimits.connectMs / 1000} s; ${inDigits(mqttLimits.silent)}, one more ends another`,
      ],
      [
        'a connection that ended and leaves data unread',
        `counts, and is closed after ${mqttLimits.closeMs / 1000} to ${mqttLimits.closeMs / 1000 + 1} s`,
      ],
    ],
  }),
} as const satisfies Declaration;
