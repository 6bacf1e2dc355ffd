import { deviceCount, plural } from './plural.ts';

/** Texts of the first steps and the demo. */
export const starting = {
  title: 'Put your first device on the map',
  text: 'Four steps. About two minutes.',
  /** For users who see devices of others, but own none. */
  seen: {
    title: (count: number) => `You see ${deviceCount(count)} of others`,
    text: 'They are members of your swarms. To add devices of your own, follow the steps.',
    wall: 'Open the wall',
    list: 'Show them',
  },
  steps: {
    label: 'Steps',
    device: {
      title: 'Add or import a device',
      text: 'Only a name and a machine type are required. You can add the position later.',
      add: 'Add device',
      import: 'Import',
    },
    swarm: {
      title: 'Join or create a swarm',
      text: 'Copy the device’s invite code and give it to a swarm owner. Or create your own swarm and invite others.',
      text_of:
        'Copy the invite code of {name} and give it to a swarm owner. Or create your own swarm and invite others.',
      shut: 'You get the invite code with your first device.',
      copy: 'Copy invite code',
      create: 'Create swarm',
    },
    connect: {
      title: 'Connect it',
      title_of: 'Connect {name}',
      text: 'The device gets its own key, and you get the code that sends its first message: for curl, JavaScript, Python or Arduino.',
    },
    receive: {
      title: 'Receive on a second device',
      text: 'Add it, let it join the same swarm so that it receives, and connect it: its code receives what the first one sends.',
    },
  },
  next: {
    title: 'Next steps',
    close: 'Close the next steps',
  },
  demo: {
    ask: 'Just looking?',
    text: 'The demo adds devices, swarms and invitations. “Remove demo” deletes all of it.',
    text_short: '“Remove demo” deletes all of it.',
    fill: 'Add demo devices',
    filling: 'Adding…',
    added: 'Demo added',
    show: 'Show devices',
    failed: 'The demo could not be added',
    strip: 'Demo data',
    remove: 'Remove demo',
    remove_title: 'Remove the demo?',
    remove_text: (devices: number, swarms: number) =>
      `This deletes ${plural(devices, { one: '# demo device', other: '# demo devices' })} and ${plural(swarms, { one: '# demo swarm', other: '# demo swarms' })}, with their invitations, the demo users and your changes to them. Devices and swarms that you created stay.`,
    removing: 'Removing…',
    removed: 'Demo removed',
    not_removed: 'The demo could not be removed',
  },
} as const;
