import { plural } from './plural.ts';

/** What the user did while the server could not be reached. */
export const outbox = {
  waiting: (count: number) => plural(count, { one: '# waiting', other: '# waiting' }),
  failed: (count: number) => plural(count, { one: '# not sent', other: '# not sent' }),
  title: 'Waiting changes',
  text: 'They are stored in this browser and sent in this order when the server can be reached.',
  none: 'Nothing is waiting',
  create: 'Add {name}',
  edit: (fields: string) => `Edit {name}: ${fields}` as const,
  not_sent_yet: 'Not sent yet',
  /** The devices that wait, in the list of devices. */
  devices: 'Not sent yet',
  added: 'New · not sent yet',
  edited: 'Edited · not sent yet',
  sent: 'Sent',
  sent_count: (count: number) => plural(count, { one: '# waiting change sent', other: '# waiting changes sent' }),
  conflict: 'Also changed elsewhere. Compare to choose which value stays.',
  compare: 'Compare',
  discard: 'Discard',
  discard_title: 'Discard this change?',
  discard_text: 'It is only in this browser, and can’t be restored.',
  copy: 'Copy text',
  /** Beside what was typed in a form. */
  input_stays: 'Your input is still here.',
  unsent: 'Not saved yet. Your changes will be saved when the server is back.',
  not_stored: 'These changes can’t be saved:',
  show: 'Show',
  sign_out_title: 'Sign out without sending?',
  sign_out_text: (count: number) =>
    plural(count, {
      one: '# change has not been sent and would be deleted.',
      other: '# changes have not been sent and would be deleted.',
    }),
};
