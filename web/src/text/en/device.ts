import { plural } from './plurals.ts';

/** Words of dialogs, forms and the page of a device: loaded with them. `{name}` is a place for somebody else's text. */
const words: Record<number, string> = { 1: 'one', 2: 'two', 3: 'three', 4: 'four', 5: 'five' };
const spelled = (count: number) => words[count] ?? String(count);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const fields = { name: 'name', machine_type: 'machine type', description: 'description', position: 'position' };

export const device = {
  /** What stands over the map of the device that is selected. */
  card: {
    region: 'Selected device',
    changed: '{type} · changed {age}',
    unplaced: 'Without position',
    near: 'near {city}',
    open: 'Open',
    edit: 'Edit',
    close: 'Close',
    place: 'Place on map',
    copy_id: 'Copy id',
    id_copied: 'Id copied',
    destroy: 'Destroy …',
    more_swarms: (count: string) => `${count} more`,
    gone: 'This device is gone',
    gone_text: 'It was destroyed, or you no longer share a swarm with it.',
  },
  none: {
    title: (count: number) =>
      count === 1
        ? 'No device matches this filter'
        : count === 2
          ? 'No device matches both filters'
          : `No device matches all ${spelled(count)} filters`,
    text: (count: number) =>
      count === 1 ? 'It stays on. Taken off it would leave:' : 'They stay on. Each one taken off would leave:',
    search: 'Search “{q}”',
    /** Destroyed, or left by the last of one’s devices. */
    lost_swarm: 'that you see no more',
    swarm: 'Swarm {name}',
    take_off: 'Take off',
    clear: 'Clear all filters',
  },
  placing: {
    title: 'Place {name}',
    hint: 'Click the map, or type its coordinates.',
    hint_touch: 'Tap the map, or type its coordinates.',
    hint_proposed: 'Confirm the marker, or choose another place on the map.',
    set: 'Place here',
    cancel: 'Cancel',
    failed: 'It was not placed',
  },
  own_location: 'Use this device’s own location',
  own_location_short: 'My location',
  location_fault: {
    unsupported: 'This browser does not tell its location here. It does so only over https or on the same machine.',
    denied:
      'The browser was not allowed to tell its location. Allow it in the site’s settings, or type the coordinates.',
    unavailable: 'This device does not know where it is.',
    timeout: 'Finding the location took too long. Try again, or type the coordinates.',
  },
  form: {
    name: 'Name',
    machine_type: 'Machine type',
    description: 'Description',
    latitude: 'Latitude',
    longitude: 'Longitude',
    position: 'Position',
    optional: 'optional',
    changed: 'changed',
    placeholder_name: 'Greenhouse sensor 3',
    on_map: 'Place on map',
    errors: {
      missing: 'This is needed.',
      missing_name: 'Give it a name.',
      missing_machine_type: 'Choose what kind of machine it is.',
      too_long: (most: string) => `At most ${most} characters.`,
      invisible: 'A name needs at least one visible character.',
      unprintable: 'There is a control character in it that cannot be kept.',
      not_a_number: 'Enter degrees, such as 52.924, −12.5, 47.3769° N or 47° 22′ 37″ N.',
      out_of_range: (most: string) => `From −${most} to ${most} degrees.`,
      other_half: 'A position needs both numbers.',
    },
  },
  add_dialog: {
    title: 'Add a device',
    text: 'It is yours alone until it joins a swarm.',
    create: 'Add device',
    cancel: 'Cancel',
    import: 'Import a file',
    kept: 'What you typed is kept.',
    added: (name: string) => `${name} was added`,
  },
  page: {
    back: 'Back to devices',
    copy_link: 'Copy link to this device',
    changed: 'Changed {age}',
    added: 'added {date}',
    id: 'id',
    fields_changed: (count: number) => `${count} ${plural(count, { one: 'field', other: 'fields' })} changed`,
    undo: 'Undo',
    save: 'Save',
    saved: 'Saved',
    kept: 'What you typed is still here.',
    drag: 'Drag the marker, or focus it and use the arrow keys.',
    drag_touch: 'Drag the marker, or tap where it belongs.',
    place_hint: 'Click the map where it stands.',
    swarms: 'Swarms',
    no_swarms: 'In no swarm. Only you see it.',
    swarm_by: (members: string) => `by {owner} · ${members}`,
    by_you: 'you',
    members: (count: number, text: string) => `${text} ${plural(count, { one: 'member', other: 'members' })}`,
    seen_by: (count: number) =>
      `Seen by the members of ${count === 1 ? 'one swarm' : `${spelled(count)} swarms`}: name, type, description and position.`,
    destroying: 'It is being destroyed.',
    destroy: 'Destroy …',
    destroy_text: (swarms: number) =>
      swarms === 0
        ? 'Destroying removes it from your account.'
        : `Destroying removes it from your account and from ${swarms === 1 ? 'one swarm' : `${spelled(swarms)} swarms`}.`,
    read_only:
      'This device belongs to {owner}. You see it because you share a swarm, and only its owner can change it.',
    gone_title: 'No such device',
    gone_text: 'It was destroyed, or it never was, or you may not see it.',
    all_devices: 'All devices',
    error_title: 'The device could not be loaded',
    also_elsewhere: 'Also changed elsewhere',
  },
  conflict: {
    title: (count: number) =>
      count === 1
        ? 'One field was changed on both sides'
        : `${capital(spelled(count))} fields were changed on both sides`,
    text: (time: string) =>
      `This device was changed elsewhere at ${time}, while you were editing. Choose for each; all else is merged.`,
    mine: 'Mine',
    theirs: 'Theirs',
    before: 'Before',
    empty: 'nothing',
    kept: 'Kept without asking: {list}.',
    kept_name: 'their new {field}, “{value}”',
    kept_field: 'their new {field}',
    fields,
    save: 'Save these choices',
    theirs_all: 'Take all of theirs',
    back: 'Back to editing',
    back_short: 'Back',
    stays: 'What you typed stays until you save.',
  },
  leave_swarm: {
    leave: 'Leave',
    leave_of: (swarm: string) => `Leave ${swarm}`,
    leaving: 'Leaving …',
    waiting: 'Leaving {swarm}',
    undo: 'Undo',
    refused: 'It is still in the swarm',
  },
  destroy: {
    title: 'Destroy {name}?',
    text: 'It is removed from your account. You have ten seconds to undo it.',
    leaves: (count: number) => (count === 1 ? 'It leaves this swarm:' : `It leaves these ${spelled(count)} swarms:`),
    no_swarms: 'It is in no swarm.',
    looking: 'Looking up its swarms …',
    unknown: 'Its swarms could not be read. It leaves every swarm that it is in.',
    confirm: 'Destroy',
    cancel: 'Keep it',
    waiting: 'Destroying {name}',
    row: 'Destroying …',
    refused: 'A device was not destroyed',
    refused_text: 'It is back in its place.',
  },
};
