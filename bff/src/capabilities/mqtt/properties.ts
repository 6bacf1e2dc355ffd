/** The properties of a message in version 5 of MQTT: out of packets, and into them. */
import { isUtf8 } from 'node:buffer';
import type { IPublishPacket } from 'mqtt-packet';
import type { MessageProperties } from '../../contract.ts';
import { ownUserProperties } from '../messages/messages.schema.ts';
import type { FieldFault } from '../../core/problem.ts';

/** The properties of a message or of a will, as the parser returns them. */
export type PacketProperties = Pick<
  NonNullable<IPublishPacket['properties']>,
  | 'payloadFormatIndicator'
  | 'messageExpiryInterval'
  | 'contentType'
  | 'responseTopic'
  | 'correlationData'
  | 'userProperties'
>;

/** Undefined if there are none. The server's own ones are left out, which programs send that pass on what they have received. */
export function propertiesOf(packet: PacketProperties | undefined): MessageProperties | undefined {
  if (!packet) return undefined;
  const { messageExpiryInterval, contentType, responseTopic, correlationData, userProperties = {} } = packet;
  const ofUser = Object.entries(userProperties).filter(([name]) => !ownUserProperties.includes(name));
  const properties: MessageProperties = {
    ...(contentType !== undefined && { content_type: contentType }),
    ...(responseTopic !== undefined && { response_topic: responseTopic }),
    ...(correlationData !== undefined && { correlation_data: correlationData.toString('base64') }),
    ...(messageExpiryInterval !== undefined && { message_expiry_interval: messageExpiryInterval }),
    ...(ofUser.length > 0 && { user_properties: Object.fromEntries(ofUser) }),
  };
  return Object.keys(properties).length > 0 ? properties : undefined;
}

/** A sender may say that its payload is a text. */
export const faultsOfFormat = (payload: Buffer, packet: PacketProperties | undefined): FieldFault[] =>
  packet?.payloadFormatIndicator === true && !isUtf8(payload)
    ? [{ pointer: '/payload', code: 'field.invalid', detail: 'is not UTF-8, as its payload format says' }]
    : [];

/** `own`: the properties that the server adds. `secondsLeft`: the seconds until the message expires. */
export function packetPropertiesOf(
  payload: string | Buffer,
  {
    properties = {},
    own,
    secondsLeft,
  }: { properties: MessageProperties | undefined; own: Record<string, string>; secondsLeft: number | undefined },
): PacketProperties {
  const { content_type, response_topic, correlation_data, user_properties } = properties;
  return {
    ...((typeof payload === 'string' || isUtf8(payload)) && { payloadFormatIndicator: true }),
    ...(secondsLeft !== undefined && { messageExpiryInterval: secondsLeft }),
    ...(content_type !== undefined && { contentType: content_type }),
    ...(response_topic !== undefined && { responseTopic: response_topic }),
    ...(correlation_data !== undefined && { correlationData: Buffer.from(correlation_data, 'base64') }),
    userProperties: user_properties ? { ...own, ...user_properties } : own,
  };
}
