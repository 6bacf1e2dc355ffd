import { useQuery } from '@tanstack/react-query';
import type { Params } from 'react-router';
import type { Position } from '@swarmdeck/bff/contract';
import { accountQuery } from '../shared/account/account.api.ts';
import { writePosition } from '../features/devices/form/coordinates.ts';
import { JoinPage } from '../features/swarms/join/join-page.tsx';
import { AddDeviceDialogProvider, useAddingDevice, type ThisPhone } from '../features/swarms/requests/adding-device.ts';
import { t } from '../text/text.ts';
import { accuracyNote } from '../ui/symbols/accuracy.ts';
import { lazyPart } from '../ui/pages/lazy.tsx';

const AddDevice = lazyPart(async () => (await import('../features/devices/form/add-device.tsx')).AddDevice);

const noFields = {};
const phoneFields = (phone: ThisPhone) => ({
  name: t.links.join.phone_name,
  machine_type: 'smartphone' as const,
  ...writePosition('at' in phone ? phone.at : undefined),
});
/** How exact the position of the phone is, unless it was changed. */
const exactness = (phone: ThisPhone, { latitude, longitude }: Position) =>
  'at' in phone && phone.at.latitude === latitude && phone.at.longitude === longitude
    ? accuracyNote(phone.at.accuracy)
    : '';
/** What the position of the phone is, which the user may have filled in since. */
const phoneNote = (phone: ThisPhone, position: Position | undefined) => {
  const { phone_note, phone_position } = t.links.join;
  if (position) return `${exactness(phone, position)} ${phone_note} ${phone_position}`.trim();
  return 'at' in phone ? phone_note : `${t.device.location_errors[phone.failed]} ${phone_note}`;
};

export function Component({ code: sent = '' }: Params) {
  // Without a bracket or a full stop that another program has added.
  const [code = ''] = /^[\w-]*/.exec(sent) ?? [];
  const account = useQuery(accountQuery).data;
  if (!account) return null;
  return (
    <AddDeviceDialogProvider dialog={<AddJoiningDevice />}>
      <JoinPage key={code} code={code} user_id={account.user_id} />
    </AddDeviceDialogProvider>
  );
}

export function AddJoiningDevice() {
  const { thisPhone, ...dialog } = useAddingDevice();
  if (!thisPhone) return <AddDevice fill={noFields} {...dialog} />;
  return <AddDevice fill={phoneFields(thisPhone)} note={(position) => phoneNote(thisPhone, position)} {...dialog} />;
}
