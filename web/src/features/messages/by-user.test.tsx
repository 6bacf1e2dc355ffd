import type { Message } from '@swarmdeck/bff/contract';
import { beforeAll, expect, test } from 'vitest';
import { loadTexts } from '../../text/text.ts';
import { mountPart } from '../../ui/mounted.fixture.tsx';
import { ByUser } from './by-user.tsx';
import { MessageDialog } from './message-dialog.tsx';

beforeAll(() => loadTexts('en'));

const message = { id: 'm', from: 'd', sent_at: '2026-11-29T08:00:00.000Z', payload: 1 } as Message;
const byAnn = { ...message, properties: { user_properties: { 'sent-by-user': 'ann', unit: 'cm' } } };

test.each([
  [byAnn, 'sent by ann'],
  [message, ''],
  [{ ...message, properties: { user_properties: { unit: 'cm' } } }, ''],
])('a list says of a message whether a user has sent it', async (of, text) => {
  const { container, unmount } = await mountPart(<ByUser message={of} />);
  expect(container.textContent).toBe(text);
  await unmount();
});

test('its dialog says it in words, once', async () => {
  const { container, unmount } = await mountPart(
    <MessageDialog message={byAnn} title="" description="" onClose={() => undefined} />,
  );
  const rows = [...container.querySelectorAll('.message-properties tr')].map(({ textContent }) => textContent);
  expect(rows).toEqual(['Sent in the app byann', 'unitcm']);
  await unmount();
});
