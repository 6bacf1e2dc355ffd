import { plural, swarmCount } from './plural.ts';

/** What devices send. */
export const messages = {
  title: 'Messages',
  loading: 'Loading messages',
  failed: 'The messages could not be loaded.',
  message: 'Message',
  message_of: 'Message from {name}',
  search: 'Search messages',
  search_hint: 'Words, such as: state alarm',
  time: 'Time',
  after: 'From',
  before: 'Until',
  too_early: 'Choose a time after “From”.',
  end_search: 'End search',
  searching: 'Searching messages',
  found: (count: number, hasMore: boolean) =>
    `${plural(count, { one: '# message', other: '# messages' })} found${hasMore ? ' so far' : ''}. New ones are not added.`,
  search_on: 'Keep searching',
  search_end: 'To find others, search for a shorter time.',
  none_found: 'No messages match.',
  export: 'Export',
  formats: { csv: 'CSV, for spreadsheets', ndjson: 'JSON, one message in a line' },
  connect: 'Connect {name}',
  sent_by: 'What {name} has sent',
  receives_from: (count: number) =>
    count === 0
      ? ('No other device sends in {swarm} yet' as const)
      : (`Receives what ${plural(count, { one: '# device sends', other: '# devices send' })} in {swarm}` as const),
  sent_in: 'All it has sent to {swarm}',
  more_swarms: (count: number) => `And in ${plural(count, { one: '# more swarm', other: '# more swarms' })}.`,
  ways: 'By swarm',
  sent: (time: string) => `Sent ${time}.`,
  sent_to: (time: string) => `Sent ${time}, only to {name}.` as const,
  sent_to_one: (time: string) => `Sent ${time}, only to one device.`,
  send: 'Send a message…',
  send_title: 'Send a message as this device',
  send_text:
    'As if the device had sent it. Those that receive get it at once. The device does not count as heard: for that, it must send something itself.',
  send_now: 'Send',
  payload: 'Payload',
  payload_hint: 'Any JSON value, such as a number, a text in quotation marks, or an object.',
  not_json: 'This is not valid JSON. Names and texts need double quotation marks.',
  too_large: (most: string) => `At most ${most} KiB.`,
  inexact: (typed: string, sent: string) =>
    `This browser would send ${sent} instead of ${typed}. Write it as ${sent} or as a text, or use a newer browser.`,
  swarm: 'Swarm',
  all_swarms: 'All swarms to which it sends',
  swarm_left: 'This message was for a swarm to which the device no longer sends. Choose again.',
  sends_nowhere: 'This device no longer sends to any swarm. Your text stays here.',
  to: 'To',
  all_consumers: 'All that receive',
  no_consumers: 'No other device receives in this swarm yet. The message is kept for a day.',
  first_consumers: (count: string, total: string) => `The first ${count} of ${total} that receive, by name.`,
  consumers_failed: 'The devices that receive could not be loaded.',
  not_sent: 'The message was not sent',
  sent_to_device: 'Sent to {name}',
  sent_to_swarms: (count: number, leftOut = 0) =>
    `Sent to ${swarmCount(count)}${leftOut === 0 ? '' : `, not to ${leftOut} with too many messages right now`}`,
  none_sent: 'No messages yet. “Connect” below shows how this device sends one.',
  no_producer: 'No messages yet. This device can send as soon as it joins a swarm and sends there.',
  only_receives: 'This device only receives.',
  last: 'Last message {age}',
  newest: 'Newest messages',
  value: 'Value',
  bytes: (count: number, base64: string) => `${plural(count, { one: '# byte', other: '# bytes' })}: ${base64}`,
  /** The MQTT 5 properties of a message. */
  properties: {
    title: 'Properties',
    sent_by: 'Sent in the app by',
    content_type: 'Content type',
    response_topic: 'Response topic',
    correlation_data: 'Correlation data, as base64',
    expiry: 'Expires',
  },
  empty_payload: 'The last payload is empty.',
  more_keys: (count: number) => `Show ${count} more`,
  only_newest: (count: number) =>
    plural(count, { one: 'Only the newest message is shown.', other: 'Only the newest # messages are shown.' }),
  older_found: 'Older ones are found by the search above, and in the swarm.',
  older_in_swarms: 'Older ones are in the swarms.',
  show_all: (count: number) => plural(count, { one: 'Show # message', other: 'Show all # messages' }),
  by_device: 'Messages of',
  all_devices: 'All devices',
  former: 'former member',
  pause: 'Pause',
  /** `isMore`: there are more than the count. */
  resume: (count: number, isMore: boolean) =>
    count === 0 ? 'Resume' : `Resume · ${plural(count, { one: '# new', other: isMore ? '#+ new' : '# new' })}`,
  is_live: 'Live',
  is_paused: 'Paused. New messages appear when you resume.',
  seen_by: 'The owner, managers, watchers, and users with a device that receives here see these messages.',
  /** Not by the device itself. */
  by_user: 'sent by {user}',
  to_one: 'to {name}',
  none_kept: 'This device has not sent anything in the last 24 hours.',
  denied_title: 'You can’t see the messages of this swarm',
  denied_text: 'Its owner, its managers and watchers, and users with a device that receives in it see them.',
  error_title: 'The messages could not be loaded',
  empty_title: 'No messages yet',
  empty_text:
    'A device that sends to this swarm does it with a key. Its owner finds the key and the code on the page of the device, under “Connect”.',
  /** In a consent. `isOne`: of one device, otherwise of those that the user chooses. */
  flow: {
    loading: 'Loading who receives which messages…',
    failed: 'Who receives which messages could not be loaded.',
    sends: (consumers: number, isOne: boolean) =>
      `${plural(consumers, { one: '# device', other: '# devices' })} of {swarm} will receive what ${isOne ? 'this device sends' : 'your devices send'}.` as const,
    sent: (count: number) =>
      `It sent ${plural(count, { one: '# message', other: '# messages' })} in the last 24 hours.`,
    receives: (producers: number, isOne: boolean) =>
      `${isOne ? 'This device' : 'Your devices'} will receive the messages of ${plural(producers, { one: '# device', other: '# devices' })}.`,
    expected: (interval: string, isOne: boolean) =>
      `The swarm sets the expected interval of ${isOne ? 'this device' : 'devices that have none'}: ${interval}. If nothing comes from ${isOne ? 'it' : 'a device'} in double this time, you get a notification.`,
  },
} as const;
