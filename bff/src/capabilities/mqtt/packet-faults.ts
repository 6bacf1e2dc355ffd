/** Finds what a client must not send, in packets that can be parsed, with the reason code of the standard. */
import type { IConnectPacket, Packet } from 'mqtt-packet';
import { reasons, type Reason } from './reasons.ts';

/** The properties that a client may send, by packet. */
const properties: Partial<Record<Packet['cmd'], readonly string[]>> = {
  connect: [
    'sessionExpiryInterval',
    'receiveMaximum',
    'maximumPacketSize',
    'topicAliasMaximum',
    'requestResponseInformation',
    'requestProblemInformation',
    'userProperties',
    'authenticationMethod',
    'authenticationData',
  ],
  publish: [
    'payloadFormatIndicator',
    'messageExpiryInterval',
    'topicAlias',
    'responseTopic',
    'correlationData',
    'userProperties',
    'contentType',
  ],
  pubrel: ['reasonString', 'userProperties'],
  subscribe: ['subscriptionIdentifier', 'userProperties'],
  unsubscribe: ['userProperties'],
  disconnect: ['sessionExpiryInterval', 'reasonString', 'userProperties'],
};

const propertiesOfWill = [
  'willDelayInterval',
  'payloadFormatIndicator',
  'messageExpiryInterval',
  'contentType',
  'responseTopic',
  'correlationData',
  'userProperties',
];

/** Properties that are 0 or 1. */
const flags: ReadonlySet<string> = new Set([
  'requestResponseInformation',
  'requestProblemInformation',
  'payloadFormatIndicator',
]);

/** The reason to end the connection; undefined for a packet without a fault. */
export function faultOf(packet: Packet, version: number): Reason | undefined {
  return (
    faultOfProperties('properties' in packet ? packet.properties : undefined, properties[packet.cmd] ?? []) ??
    faultOfFields(packet, version)
  );
}

function faultOfProperties(found: object | undefined, allowed: readonly string[]): Reason | undefined {
  const entries = Object.entries(found ?? {});
  if (entries.some(([name, value]) => !allowed.includes(name) || isMalformed(value))) return reasons.malformed;
  if (entries.some(([name, value]) => name === 'responseTopic' && typeof value === 'string' && !isTopic(value)))
    return reasons.malformed;
  if (entries.some(([name, value]) => flags.has(name) && typeof value === 'number')) return reasons.protocolError;
  // The parser returns a list for a property that is sent more than once.
  return entries.some(([, value]) => Array.isArray(value)) ? reasons.protocolError : undefined;
}

/** The parser returns an object for properties of the user. */
function isMalformed(value: unknown): boolean {
  if (typeof value === 'string') return !isWellFormed(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Buffer.isBuffer(value)) return false;
  return Object.entries(value).some(([name, one]) => !isWellFormed(name) || [one].flat().some(isMalformed));
}

function faultOfFields(packet: Packet, version: number): Reason | undefined {
  switch (packet.cmd) {
    case 'connect': {
      const { clientId, username = '', will, properties: found = {} } = packet;
      if (found.maximumPacketSize === 0 || found.receiveMaximum === 0) return reasons.protocolError;
      if (found.authenticationData && found.authenticationMethod === undefined) return reasons.protocolError;
      if (![clientId, username].every(isWellFormed)) return reasons.malformed;
      return will && faultOfWill(will);
    }
    case 'publish': {
      const { qos, dup, topic, messageId } = packet;
      if (qos === 0 ? dup : !isIdentifier(messageId)) return reasons.malformed;
      if (topic === '') return version === 5 ? faultOfNoTopic(packet.properties?.topicAlias) : reasons.malformed;
      return isTopic(topic) ? undefined : reasons.malformed;
    }
    case 'subscribe':
      return faultOfFilters(
        packet.messageId,
        packet.subscriptions.map(({ topic }) => topic),
      );
    case 'unsubscribe':
      return faultOfFilters(packet.messageId, packet.unsubscriptions);
    case 'pubrel':
      return isIdentifier(packet.messageId) ? undefined : reasons.malformed;
    default:
      return undefined;
  }
}

function faultOfWill({ topic, qos = 0, properties: found }: NonNullable<IConnectPacket['will']>): Reason | undefined {
  if (qos > 2 || !isTopic(topic)) return reasons.malformed;
  return faultOfProperties(found, propertiesOfWill);
}

/** Without a topic, a topic alias names it. This server takes none, which `publish` says. */
const faultOfNoTopic = (alias: number | undefined) => (alias === undefined ? reasons.protocolError : undefined);

function faultOfFilters(messageId: number | undefined, filters: readonly string[]): Reason | undefined {
  if (!isIdentifier(messageId)) return reasons.malformed;
  if (filters.length === 0) return reasons.protocolError;
  return filters.every(isFilter) ? undefined : reasons.malformed;
}

/** A wildcard is a whole level, and `#` the last one. */
function isFilter(filter: string): boolean {
  if (filter === '' || !isWellFormed(filter)) return false;
  const levels = filter.split('/');
  return levels.every(
    (level, at) => !/[#+]/.test(level) || level === '+' || (level === '#' && at === levels.length - 1),
  );
}

/** The parser returns -1 for one that is not there. */
const isIdentifier = (id = 0): boolean => id > 0;

const isTopic = (text: string) => text !== '' && isWellFormed(text) && !/[#+]/.test(text);

/** The parser replaces what is not UTF-8 by U+FFFD. No topic of this server has it. */
const isWellFormed = (text: string) => !/[\0\ufffd]/.test(text);
