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
  languages: { curl: 'curl', javascript: 'JavaScript', python: 'Python', arduino: 'Arduino', mqtt: 'MQTT' },
  code: 'Code',
  hints: {
    curl: 'Paste it into a terminal.',
    javascript: 'For Node 20 or newer: save it as message.mjs, and run “node message.mjs”.',
    python: 'For Python 3, without packages: save it as message.py, and run “python3 message.py”.',
    arduino:
      'For ESP32. Connect to Wi-Fi first, then call the function. To check the server’s certificate, pass your CA certificate to begin().',
    mqtt: 'Needs the clients of mosquitto: paste it into a terminal. Other MQTT clients work too. The user name is the ID of the device, the password is the key, and the topic is “messages”.',
  },
  stream_ends:
    'It ends when the server closes the stream, as after an update. To miss nothing, start it again with “?since=” and the id of the last message at the end of the address.',
  missed: 'It connects again by itself, but does not get what was sent meanwhile.',
  no_role: {
    any: 'This device is in no swarm yet, so it can neither send nor receive messages. You can create its key now, and add it to a swarm later. One of your own with only this device is enough.',
    send: 'This device sends to no swarm yet, so its messages are rejected. It can send as soon as it joins one that lets it. The code stays the same.',
    receive:
      'This device receives from no swarm yet. It receives as soon as it joins one that lets it. The code stays the same.',
  },
  phone: {
    action: 'Use a phone as a device',
    text: 'The free app OwnTracks reports the phone’s position, also in the background. Everyone who can see the device sees where the phone is.',
    until: 'Share until',
    share: 'Share position',
    no_key: '“{name}” was added. It has no key yet.',
    ready: 'Set up OwnTracks',
    get: 'Get OwnTracks',
    ready_text:
      'Install OwnTracks on the phone first. The link and the code contain a key, and are shown only once. Anyone who has them can act as this device.',
    open: 'Set up OwnTracks on this phone',
    scan: 'To set up another phone, scan this code with its camera.',
    qr: 'QR code that sets up OwnTracks',
    stored: {
      is_stored: 'OwnTracks is set up on the phone',
      lost_title: 'OwnTracks not set up yet?',
      lost_text: 'After you close this, the link and the code can’t be shown again.',
      lost_close: 'Close without setting it up',
      lost_back: 'Back to the code',
    },
    waiting: 'Waiting for the first report…',
    failed: 'Reports of the phone could not be loaded.',
    connected: 'Connected: the key is in use',
    shares:
      'Until you stop sharing, everyone who can see this device sees where the phone is and when it was last online.',
    shares_until: 'Until {date}, everyone who can see this device sees where the phone is and when it was last online.',
    shares_track: 'They also see its track.',
    stop: 'Stop sharing',
    stop_title: 'Stop sharing the phone’s position?',
    stop_text:
      'All keys of phones for this device are revoked, and nothing more is accepted from them. The last position stays until you change it.',
    stopped: 'The phone no longer shares its position',
  },
  waiting: 'Waiting for the first message…',
  connected: 'Connected: first message {age}',
} as const;
