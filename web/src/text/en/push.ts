/** Texts of notifications, which the service worker shows. By kinds of the activity; `#` is how many. */
export const push = {
  kinds: {
    'invitation.sent': { one: 'New invitation', other: '# new invitations' },
    'invitation.end_offered': {
      one: 'A later end is offered for a device',
      other: 'Later ends are offered for # devices',
    },
    'invitation.requested': { one: 'New request to join', other: '# new requests to join' },
    'resource.silent': { one: 'A device is silent', other: '# devices are silent' },
    'resource.back': { one: 'A device is back', other: '# devices are back' },
    'resource.imported': { other: 'Import finished' },
    'member.ending': { one: 'A device leaves a swarm soon', other: '# devices leave a swarm soon' },
    'swarm.watcher_ending': { one: 'The time of a watcher is over soon', other: 'The time of # watchers is over soon' },
    'swarm.silent': { one: 'A device of a swarm is silent', other: '# devices of swarms are silent' },
    'account.signed_in_new': { other: 'Sign-in with a browser that this server does not know' },
    'swarm.audience_grown': { other: 'Who sees your devices: a change' },
    'resource.offered': { one: 'A device is offered to you', other: '# devices are offered to you' },
    'swarm.offered': { one: 'A swarm is offered to you', other: '# swarms are offered to you' },
    'swarm.manager_asked': { one: 'Request to manage a swarm', other: '# requests to manage a swarm' },
    'swarm.watcher_asked': { one: 'Request to watch a swarm', other: '# requests to watch a swarm' },
  },
  other: { other: 'New in Activity' },
  answers: {
    accept: 'Accept…',
    reject: 'Reject',
    failed: 'Your answer could not be saved. Open the invitation.',
    waits: 'No connection. “Reject” is sent when you open Swarmdeck.',
  },
};

export type PushTexts = typeof push;
