/** Texts of a device that its owner hands over to another user. */
export const handover = {
  title: 'Hand over {device}',
  text: 'Until the user accepts, nothing changes: they only see its name, type and description. If they accept:',
  effects: {
    owner:
      'The device belongs to them, with its name, type, description, position and settings. It is no longer in your account.',
    swarms: 'It leaves all swarms except those of the new owner.',
    ends: 'Its keys, invitations and links stop working, and its messages are deleted.',
    history: 'The new owner sees where the device has been, and its recorded values.',
    no_history: 'Its track and recorded values are deleted.',
  },
  name: 'User name',
  name_own: 'This is your own user name.',
  with_history: 'Hand over its track and recorded values too',
  offer: 'Offer the device',
  offered: 'Offered to {user}',
  note: 'You offered this device to {user} {time}.',
  note_failed: 'Can’t check whether this device is offered to another user.',
  note_with_history: 'You offered this device to {user} {time}, with its track and recorded values.',
  withdraw: 'Withdraw the offer',
  offers: '{owner} wants to give you the device {device}',
  offers_text:
    'If you take over the device, it belongs to you, with its name, description and position, but without its track and recorded values.',
  offers_history:
    'If you take over the device, it belongs to you, with its name, description, position, track and recorded values.',
  offers_swarms:
    'The device stays only in swarms that you own, and no end is set there. Its keys stop working: create a new key after you take over the device. Its former owner no longer has it.',
  offers_records: {
    track: 'It still records its track. You can change that on its page.',
    values: 'It still records its values. You can change that on its page.',
    both: 'It still records its track and its values. You can change that on its page.',
  },
  accepted: (device: string) => `“${device}” is yours now`,
  open: 'Open device',
} as const;
