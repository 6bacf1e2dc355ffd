/** The newest connection of each client: a device, and an identifier that its program has chosen. */
import { hash } from 'node:crypto';
import type { Rate } from '../../core/limits/rate.ts';
import type { Database } from '../../core/store/database.ts';
import { disconnect, type Client, type Connection } from './connection.ts';
import { reasons } from './reasons.ts';

/** The name of a client: `identifier` is the one that its program has chosen. */
export const clientName = (deviceId: string, identifier: string): string =>
  hash('sha256', `${deviceId} ${identifier}`, 'base64url');

export type Clients = ReturnType<typeof createClients>;

/** The first words of announcements. */
const connected = 'mqtt-connected';
const refused = 'mqtt-refused';

/**
 * A new connection of a client ends the one before, whose other end may be gone. Processes announce their new connections, and all of
 * them read the announcements in one order: one that was announced before another is older. So of two connections that are accepted at
 * the same time, one stays. If a device does that too often, the older one stays and the newer is refused: two programs with one
 * key would end each other for ever.
 */
export function createClients({
  db,
  newId,
  takeovers,
  replaceWill,
}: {
  db: Pick<Database, 'announce' | 'onAnnounced'>;
  newId: () => string;
  /** Counts the connections of a device that end another one of it. */
  takeovers: Rate;
  /** Drops the will of the client that waits for its delay, if its connection `isOlder` than the new one. */
  replaceWill: (name: string, isOlder: (client: Client) => boolean) => void;
}) {
  const newest = new Map<string, Connection>();

  /** Ends the older connection of a client. Returns false if it stays. */
  function replace(name: string, isOlder: (client: Client) => boolean): boolean {
    const before = newest.get(name);
    if (before && !before.hasEnded && isOlder(before.client!)) {
      if (takeovers.take(before.device!.id) > 0) return false;
      disconnect(before, reasons.takenOver);
      // Its slot is free at once, and not when its socket is closed.
      before.release();
      before.release = () => {};
    }
    replaceWill(name, isOlder);
    return true;
  }

  const unsubscribe = db.onAnnounced((line) => {
    const [what, name = '', id] = line.split(' ');
    const known = newest.get(name);
    if (what === refused && known?.client?.id === id) disconnect(known!, reasons.quotaExceeded);
    if (what !== connected) return;
    const isOlder = (client: Client) => {
      if (client.id !== id) return client.isAnnounced;
      client.isAnnounced = true;
      return false;
    };
    if (!replace(name, isOlder)) db.announce(`${refused} ${name} ${id}`);
  });

  return {
    /** Makes it the newest connection of its client. Returns false if an older one of this process stays. */
    take(connection: Connection, name: string): boolean {
      if (!replace(name, () => true)) return false;
      connection.client = { name, id: newId(), isAnnounced: false };
      newest.set(name, connection);
      return true;
    },
    /** Announces the connection to all processes. */
    announce({ client }: Pick<Connection, 'client'>): void {
      if (client) db.announce(`${connected} ${client.name} ${client.id}`);
    },
    forget(connection: Connection): void {
      const { name = '' } = connection.client ?? {};
      if (newest.get(name) === connection) newest.delete(name);
    },
    close: unsubscribe,
  };
}
