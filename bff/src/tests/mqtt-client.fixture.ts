import mqtt, { type IClientOptions } from 'mqtt';

/** Connects a client to the server's port for MQTT on this machine. It does not connect again. */
export function connectMqtt({ port, ...options }: IClientOptions & { port: number }) {
  return mqtt.connectAsync({ host: '127.0.0.1', port, reconnectPeriod: 0, ...options });
}
