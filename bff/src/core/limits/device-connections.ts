/**
 * The open connections of devices to this process: streams, requests that wait for a message, and connections by MQTT. A new one
 * wins: a device that has as many as it may have, or whose user has no slot left, loses its oldest one, whose other end may be gone.
 * A board that starts again is not locked out by its own dead connections.
 */
import { SetsByKey } from './bounded-map.ts';
import { messageLimits } from './field-rules.ts';
import type { Release } from './slots.ts';
import { Problem } from '../problem.ts';
import { requireTokens, type Rate } from './rate.ts';

interface Connection {
  /** Ends it, because a newer one has taken its slot. */
  stop: () => void;
  /** Takes the slots of its user. @throws a Problem only if there are too few */
  reserve: () => Release;
  release: Release;
}

export type DeviceConnections = ReturnType<typeof createDeviceConnections>;

export function createDeviceConnections({
  takeovers,
  onChange,
}: {
  /** Counts the connections of a device that end another one of it. Two programs with one key would end each other for ever. */
  takeovers: Rate;
  /** Called when a device has its first connection, and when it has none any more. */
  onChange: (id: string, isConnected: boolean) => void;
}) {
  const byDevice = new SetsByKey<Connection>();

  function remove(id: string, connection: Connection) {
    if (!byDevice.get(id)?.has(connection)) return;
    byDevice.remove(id, connection);
    connection.release();
    if (!byDevice.has(id)) onChange(id, false);
  }

  /**
   * The slots of its user go to a new connection at once, whatever its other end does: the user may have no others. If they are not
   * enough, because those of MQTT are counted apart too, it keeps them.
   */
  function giveUp(oldest: Connection, reserve: () => Release): Release {
    oldest.release();
    try {
      return reserve();
    } catch (error) {
      oldest.release = oldest.reserve();
      throw error;
    }
  }

  /** The slots of its user for one more connection of the device: free ones, or those of its oldest connection. */
  function reserveOrReplace(id: string, reserve: () => Release): { release: Release; replaced?: Connection } {
    const connections = byDevice.get(id);
    const [oldest] = connections ?? [];
    if (!oldest) return { release: reserve() };
    if (connections!.size < messageLimits.streamsOfDevice) {
      try {
        return { release: reserve() };
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    }
    requireTokens(takeovers, id);
    return { release: giveUp(oldest, reserve), replaced: oldest };
  }

  return {
    /**
     * Takes a slot of the device. `reserve`: the slots of its user. `stop`: see `Connection`. Returns what gives the slot back.
     * @throws `rate.exceeded` if it takes slots over too often, and what `reserve` throws
     */
    take({ id, reserve, stop }: Pick<Connection, 'reserve' | 'stop'> & { id: string }): Release {
      const connections = byDevice.get(id);
      const { release, replaced } = reserveOrReplace(id, reserve);
      const connection: Connection = { stop, reserve, release };
      byDevice.add(id, connection);
      if (!connections) onChange(id, true);
      if (replaced) {
        byDevice.remove(id, replaced);
        replaced.stop();
      }
      return () => remove(id, connection);
    },
  };
}
