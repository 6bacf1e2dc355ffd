import mqtt, { type IClientOptions } from 'mqtt';
import type { App } from '../../app.ts';

/** The options of a test server with a port for MQTT on this machine, which `openMqtt` opens. */
export const withMqtt = { opened: { mqtt: { address: { host: '127.0.0.1', port: 0 }, url: undefined } } };

/** Opens the port for MQTT of an app, and returns it. */
export async function openMqtt(app: Pick<App, 'start'>): Promise<number> {
  return Number(new URL((await app.start()).urls['mqtt']!).port);
}

/** The number of open connections by MQTT. */
export async function connectionsOf(app: Pick<App, 'measure'>): Promise<number | undefined> {
  return (await app.measure()).gauges.find(({ name }) => name === 'mqtt_connections')?.value;
}

/** Connects a client to the server's port for MQTT on this machine. It does not connect again. */
export function connectMqtt({ port, ...options }: IClientOptions & { port: number }) {
  return mqtt.connectAsync({ host: '127.0.0.1', port, reconnectPeriod: 0, ...options });
}
