import type { ReactNode } from 'react';
import type { MessageProperties } from '@swarmdeck/bff/contract';
import { sentByUser } from '@swarmdeck/bff/field-rules';
import type { ReadMessage } from '../../data/exact-json.ts';
import { exactPayload } from '../../data/exact-payload.ts';
import { formatDateTimeSeconds } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { JsonDialog } from '../../ui/texts/json.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';
import '../../ui/lists/table.css';
import './messages.css';
import { userOfMessage } from './by-user.tsx';
import { textOf } from './payload-text.ts';

interface MessageDialogProps {
  message: ReadMessage;
  title: ReactNode;
  description: ReactNode;
  onClose(): void;
}

/** A whole message: its payload, and what MQTT 5 knows of it beside that. */
export function MessageDialog({ message, title, description, onClose }: MessageDialogProps) {
  const { properties, sent_at } = message;
  const rows = properties ? propertyRows(properties, sent_at) : [];
  return (
    <JsonDialog
      title={title}
      description={description}
      onClose={onClose}
      value={exactPayload(message)}
      text={textOf(message)}
    >
      {rows.length > 0 && (
        <table className="table message-properties">
          <caption className="section-name">{t.messages.properties.title}</caption>
          <tbody>
            {rows.map(({ id, name, value }) => (
              <tr key={id}>
                <th scope="row">
                  <Bdi>{name}</Bdi>
                </th>
                <td>
                  <Bdi>{value}</Bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </JsonDialog>
  );
}

interface PropertyRow {
  id: string;
  name: string;
  value: string;
}

/** A property of the user may have several values. */
function propertyRows(properties: MessageProperties, sent_at: string): PropertyRow[] {
  const { content_type, response_topic, correlation_data, message_expiry_interval: seconds } = properties;
  const say = t.messages.properties;
  const known = [
    { id: 'sent_by', name: say.sent_by, value: userOfMessage({ properties }) },
    { id: 'content_type', name: say.content_type, value: content_type },
    { id: 'response_topic', name: say.response_topic, value: response_topic },
    { id: 'correlation_data', name: say.correlation_data, value: correlation_data },
    {
      id: 'expiry',
      name: say.expiry,
      value: seconds === undefined ? undefined : formatDateTimeSeconds(expiryOf(sent_at, seconds)),
    },
  ];
  const ofUser = Object.entries(properties.user_properties ?? {})
    .filter(([name]) => name !== sentByUser)
    .flatMap(([name, values]) => [values].flat().map((value, index) => ({ id: `${index} ${name}`, name, value })));
  return [...known.filter((row): row is PropertyRow => row.value !== undefined), ...ofUser];
}

const expiryOf = (sent_at: string, seconds: number) => new Date(Date.parse(sent_at) + seconds * 1000).toISOString();
