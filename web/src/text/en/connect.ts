/** The keys of a device, and the code that uses them. */
export const connect = {
  title: 'Keys for this device',
  action: 'Connect',
  none: '“Connect” creates a key, and shows the code that sends a message with it.',
  create_title: 'Connect this device',
  create_text:
    'The device gets its own key. With it, a program can only send and receive this device’s messages, and read and update its record.',
  ready_text: 'Copy it now: it is shown only once. Anyone who has it can act as this device until you revoke it.',
} as const;
