import { plural } from './plurals.ts';

/** Words of the first minutes, and of the demo. */
export const starting = {
  title: 'Put your first device on the map',
  text: 'Three steps, in any order. About two minutes.',
  text_short: 'Three steps. About two minutes.',
  steps: {
    label: 'Steps',
    device: {
      title: 'Add or import a device',
      text: 'A name and a machine type are enough. The position can wait.',
      add: 'Add device',
      import: 'Import',
    },
    swarm: {
      title: 'Join a swarm, or start one',
      text: 'Copy the device’s invite code and give it to a swarm’s owner. Or create a swarm of your own and invite others.',
      shut: 'The invite code comes with your first device.',
      copy: 'Copy invite code',
      create: 'Create swarm',
    },
    key: {
      title: 'Connect a device by key',
      text: 'Create an API key; the page shows a curl line that works.',
      create: 'Create key',
    },
  },
  next: {
    title: 'Next',
    close: 'Close the next steps',
  },
  demo: {
    ask: 'Only looking?',
    text: 'With swarms and invitations. “Remove demo” takes all of it away.',
    text_short: '“Remove demo” takes them all away.',
    fill: 'Fill with demo devices',
    filling: 'Filling …',
    failed: 'The demo was not made',
    strip: 'Demo devices, swarms and invitations',
    remove: 'Remove demo',
    remove_title: 'Remove the demo?',
    remove_text: (devices: number, devicesText: string, swarms: number, swarmsText: string) =>
      `${devicesText} demo ${plural(devices, { one: 'device', other: 'devices' })} and ${swarmsText} demo ${plural(swarms, { one: 'swarm', other: 'swarms' })} of yours go, with their invitations and the demo’s other users, also what you have changed of them. What you made yourself stays.`,
    removing: 'Removing …',
    removed: 'The demo is gone',
    not_removed: 'The demo was not removed',
    keep: 'Keep it',
  },
};
