/** Wills: messages that clients leave with the server, which sends them if it loses the client. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { IConnectPacket } from 'mqtt-packet';
import { Counts } from '../../core/limits/bounded-map.ts';
import { mqttLimits } from './limits.ts';
import type { Report } from '../../core/problem.ts';
import type { Client, Connection, Device, Will } from './connection.ts';
import { ask, requestOf, type ServiceDoor } from './requests.ts';

/** The will in a CONNECT packet. */
type WillPacket = NonNullable<IConnectPacket['will']>;

export type Wills = ReturnType<typeof createWills>;

/** In bytes: what the server needs for a will besides its texts. */
const overhead = 256;
/** A will that is put off is sent again. Many are sent at once if the network of many devices is lost. */
const mostTries = 5;

/** A will is sent by this process or by none: it is not stored, and does not outlive the process. */
export function createWills({ service, report }: { service: ServiceDoor; report: Report }) {
  /** In bytes, by user. */
  const bytesByUser = new Counts();
  /** In bytes, by the name of the client: wills that are not being sent yet, which a new connection of the client replaces. */
  const unsentByClient = new Counts();
  /** Wills that wait for their delay, by the name of their client. */
  const delayed = new Map<string, { client: Client; drop: () => void }>();
  let isClosed = false;

  /** The service checks what the device may send now. */
  async function send(will: WillPacket, { device, address }: { device: Device; address: string }): Promise<void> {
    const request = requestOf(will);
    for (let tries = 1; request && !isClosed; tries++) {
      const answer = await ask(service, { address, isWill: true }, { ...request, device });
      const isPutOff = answer.status >= 400 && answer.headers.has('retry-after');
      if (!isPutOff || tries === mostTries) return;
      await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000, undefined, { ref: false });
    }
  }

  function delay(client: Client, { ms, will }: { ms: number; will: Will }): void {
    delayed.get(client.name)?.drop();
    const forget = () => delayed.delete(client.name);
    const timer = setTimeout(() => {
      forget();
      will.due();
    }, ms).unref();
    const drop = () => {
      forget();
      clearTimeout(timer);
      will.drop();
    };
    delayed.set(client.name, { client, drop });
  }

  return {
    /**
     * Returns undefined if the wills of this user have too many bytes, without those of the same client. `client`: the name of the client that
     * the connection will have.
     */
    hold(
      packet: WillPacket,
      { connection, device, client = '' }: { connection: Connection; device: Device; client: string | undefined },
    ): Will | undefined {
      const bytes = memoryBytes(packet);
      const replaced = client === '' ? 0 : unsentByClient.of(client);
      if (bytesByUser.of(device.userId) - replaced + bytes > mqttLimits.willBytes) return undefined;
      bytesByUser.change(device.userId, bytes);
      unsentByClient.change(client, bytes);
      const forget = () => void bytesByUser.change(device.userId, -bytes);
      const { address } = connection;
      const will: Will = {
        due() {
          unsentByClient.change(client, -bytes);
          void send(packet, { device, address }).catch(report).finally(forget);
        },
        drop() {
          unsentByClient.change(client, -bytes);
          forget();
        },
      };
      const ms = Math.min(packet.properties?.willDelayInterval ?? 0, mqttLimits.willDelay) * 1000;
      if (client === '' || ms === 0) return will;
      return { due: () => delay(connection.client!, { ms, will }), drop: will.drop };
    },
    /** The client has connected again: what waits for its delay is not sent. `isOlder`: whether its connection was before that. */
    replace(name: string, isOlder: (client: Client) => boolean): void {
      const delayedWill = delayed.get(name);
      if (delayedWill && isOlder(delayedWill.client)) delayedWill.drop();
    },
    close() {
      isClosed = true;
      for (const { drop } of delayed.values()) drop();
    },
  };
}

const memoryBytes = ({ topic, payload, properties }: WillPacket): number =>
  overhead +
  Buffer.byteLength(topic) +
  payload.length +
  (properties ? Buffer.byteLength(JSON.stringify(properties)) : 0);
