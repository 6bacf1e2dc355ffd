import type { Core, Definition } from '../../core/capability.ts';
import { openAddress } from '../../core/config/config.ts';
import { keyHeader } from '../../core/endpoint/key-guard.ts';
import { createMqtt } from './mqtt.ts';
import { readSettings, type MqttSettings } from './settings.ts';

export const mqtt = {
  readSettings,
  create(core: Core, settings: Partial<MqttSettings> = {}) {
    const { publicUrl, rates, service } = core;
    const { address, url } = settings;
    let door: ReturnType<typeof createMqtt> | undefined;
    const close = () => door?.close();
    return {
      async start() {
        if (!address) return undefined;
        const { fetch, messages } = service();
        const opened = createMqtt({
          ...core,
          baseUrl: `${publicUrl}/service`,
          keyHeader,
          fetch,
          messages,
          packetsOfDevice: rates.mqtt_packets,
          takeovers: rates.takeovers,
        });
        door = opened;
        await openAddress('MQTT', address, opened.listen);
        return { url: opened.url(), line: 'MQTT is at' };
      },
      deviceAddresses() {
        const shown = url ?? door?.url();
        return { ...(shown !== undefined && { mqtt: shown }) };
      },
      gauges: () => [{ name: 'mqtt_connections', help: 'Open connections by MQTT.', value: door?.count() ?? 0 }],
      stop: close,
      close,
    };
  },
} satisfies Definition;
