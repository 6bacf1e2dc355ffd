import type { Message } from '@swarmdeck/bff/contract';
import { sentByUser } from '@swarmdeck/bff/field-rules';
import { t } from '../../text/text.ts';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';

/** The user who has sent a message in the app, as the device. */
export const userOfMessage = ({ properties }: Pick<Message, 'properties'>): string | undefined =>
  properties?.user_properties?.[sentByUser]?.toString();

/** Says of a message in a list that no device has sent it. */
export function ByUser({ message }: { message: Message }) {
  const user = userOfMessage(message);
  if (user === undefined) return null;
  return (
    <span className="quiet by-user">
      <Rich text={t.messages.by_user} user={<Bdi>{user}</Bdi>} />
    </span>
  );
}
