import { plural } from './plural.ts';

/** What devices said over time. */
export const values = {
  title: 'Values',
  loading: 'Loading values',
  failed: 'The values could not be loaded.',
  none: 'No values yet. The numbers, texts and “true” or “false” in its messages appear here.',
  no_swarm: 'This device is in no swarm yet, so it cannot send. Once it sends, its values appear here.',
  not_recorded:
    'Not recorded: these are the values of the last 24 hours at most. “Record its values” above keeps them for a year.',
  recorded_since: (time: string) => `Recorded since ${time}.`,
  full: 'Your storage for values is almost full. When it is full, the oldest values of all your devices are deleted. To keep more, switch off recording for other devices.',
  range: 'Range',
  ranges: { hour: '1 hour', day: '24 hours', week: '7 days', month: '30 days', year: '1 year' },
  /** Where there is little space. */
  short_ranges: { hour: '1 h', day: '24 h', week: '7 d', month: '30 d', year: '1 y' },
  span: (from: string, to: string) => `${from} to ${to}`,
  zoom_in: 'Zoom in',
  zoom_out: 'Zoom out',
  whole_range: 'Whole range',
  table: 'Table',
  export: 'CSV',
  time: 'Time',
  together: 'In one chart',
  summary: (least: string, most: string, mean: string) => `${least} to ${most}, on average ${mean}`,
  none_in_range: 'No values in this time',
  show_more: (count: number) => `Show ${count} more`,
  first_lines: (shown: number, all: number) => `The first ${shown} of ${all}`,
  /** Of a swarm. */
  key: 'Value',
  devices: 'Devices',
  choose_devices: (most: number) => `Up to ${most} devices`,
  denied_title: 'You can’t see the values of this swarm',
  none_title: 'No values yet',
  none_in_swarm: 'The numbers and states in the messages of this swarm appear here.',
  more_devices: (count: number) => plural(count, { one: '# more device', other: '# more devices' }),
  /** In lists and on maps. */
  show_text: 'The last value of each device that records its values, in the list and on the map.',
  show: 'Show',
  show_none: 'Show none',
  no_key: 'None',
  no_keys: 'None of these devices records its values.',
  at_least: 'At least',
  at_most: 'At most',
  not_a_number: 'Enter a number.',
  colour: 'Colour by the value',
  colour_text: 'From the smallest to the largest number on the map. Grey: no number.',
} as const;
