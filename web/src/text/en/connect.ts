/** The keys of a device, and the code that uses them. */
export const connect = {
  title: 'Keys for this device',
  action: 'Connect',
  none: '“Connect” creates a key, and shows the code that sends a message with it.',
  create_title: 'Connect this device',
  create_text:
    'The device gets its own key. With it, a program can only send and receive this device’s messages, and read and update its record.',
  ready_text: 'Copy it now: it is shown only once. Anyone who has it can act as this device until you revoke it.',
  direction: 'What it does',
  directions: { send: 'Sends', receive: 'Receives' },
  language: 'Language',
  languages: { curl: 'curl', javascript: 'JavaScript', python: 'Python', arduino: 'Arduino', owntracks: 'OwnTracks' },
  code: 'Code',
  hints: {
    curl: 'Paste it into a terminal.',
    javascript: 'For Node 20 or newer: save it as message.mjs, and run “node message.mjs”.',
    python: 'For Python 3, without packages: save it as message.py, and run “python3 message.py”.',
    arduino:
      'For ESP32. Connect to Wi-Fi first, then call the function. To check the server’s certificate, pass your CA certificate to begin().',
  },
  stream_ends:
    'It ends when the server closes the stream, for example after an update. To miss nothing, start it again with “?since=” and the id of the last message at the end of the address.',
  no_role: {
    send: 'This device is not a producer in any swarm, so its messages are rejected. It can send as soon as it joins one as a producer. The code stays the same.',
    receive:
      'This device is not a consumer in any swarm, so it receives nothing yet. It receives as soon as it joins one as a consumer. The code stays the same.',
  },
  owntracks: {
    shares:
      'This phone is a device: the free app OwnTracks reports its position, also in the background. Everyone who can see this device sees it, until you revoke this key on the page of the device.',
    shares_until:
      'This phone is a device: the free app OwnTracks reports its position, also in the background. Everyone who can see this device sees it, until this key expires or you revoke it on the page of the device.',
    open: 'Set up OwnTracks on this phone',
    scan: 'Install OwnTracks first. To set up another phone, scan this code with its camera. The code contains the key.',
    qr: 'QR code that sets up OwnTracks',
    waiting: 'Waiting for the first report…',
    connected: 'Connected: the key is in use',
  },
  waiting: 'Waiting for the first message…',
  connected: 'Connected: first message {age}',
} as const;
