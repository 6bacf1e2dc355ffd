/** The keyboard shortcuts, and touch gestures. */
export const help = {
  title: 'Keyboard shortcuts',
  title_touch: 'Help',
  sections: {
    everywhere: 'Anywhere',
    go: 'Go to',
    devices: 'Devices',
    device: 'Device',
    swarms: 'Swarms',
    swarm: 'Swarm members',
    board: 'Swarm invitations',
    inbox: 'Invitations',
    wall: 'Wall',
  },
  here: 'this page',
  single: 'Single-key shortcuts',
  single_hint: 'Always off while you type.',
  touch: {
    no_keys: 'Connect a keyboard to see keyboard shortcuts here.',
    map_title: 'On the map',
    map: {
      drag: { gesture: 'Drag', does: 'moves the map' },
      pinch: { gesture: 'Pinch', does: 'zooms' },
      cluster: { gesture: 'Tap a cluster', does: 'zooms in on it' },
      stack: { gesture: 'Tap several devices at the same location', does: 'lists them' },
      device: { gesture: 'Tap a device', does: 'selects it, also in the list' },
      sheet: { gesture: 'Drag the list', does: 'shows more of the list or the map' },
    },
    invitations: {
      right: { gesture: 'Swipe a row to the right', does: 'accepts' },
      left: { gesture: 'Swipe a row to the left', does: 'rejects' },
      hold: { gesture: 'Hold a row', does: 'selects it' },
      aside: { gesture: 'Swipe an open invitation', does: 'shows the next or the previous one' },
    },
    symbols_title: 'Symbols',
    roles: { producer: 'to the swarm', consumer: 'from the swarm', both: 'sends and receives' },
  },
} as const;
