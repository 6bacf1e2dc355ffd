/**
 * The keys of cached queries, except those of the account (account-keys.ts). Only key-parts.ts knows the places of their parts too. A short key matches all longer keys that begin with it: refetching
 * `queryKeys.swarm.all(id)` also refetches its members.
 */

export type Mailbox = 'received' | 'sent';
/** `new` invitations need an answer, `answered` ones are history. */
export type Side = 'new' | 'answered';

/** One list of the inbox. */
export interface BoxQuery {
  box: Mailbox;
  side: Side;
  q: string;
  /** Only the invitations of this device. */
  resource?: string;
  /** Only those of this swarm. */
  swarm?: string;
}

/** `query` is the query string of the request. */
export const queryKeys = {
  account: ['account'],
  actions: {
    open: ['actions', 'open'],
    /** Read when opened. */
    failed: (id: string) => ['actions', 'failed', id],
    history: ['actions', 'history'],
    historyPages: ['actions', 'history', 'pages'],
    historyOf: (id: string) => ['actions', 'history', 'device', id],
    importOf: (hash: string) => ['actions', 'history', 'import', hash],
    /** Read when opened. */
    results: (id: string) => ['actions', 'results', id],
  },
  activity: {
    all: ['activity'],
    list: (filter: object, limit: number) => ['activity', 'list', filter, limit],
    unread: ['activity', 'unread'],
  },
  savedViews: ['saved-views'],
  /** Read when opened. */
  demo: ['demo'],
  /** Read when opened. */
  tiles: ['tiles'],
  /** As an action found them when its dialog was opened. Read when opened. */
  selectedItems: (dialog: string) => ['selected-items', dialog],
  /** Read when opened. */
  foundPlaces: (q: string) => ['places', 'found', q],
  devices: {
    all: ['devices'],
    /** The lists, which are long. They are not fetched again while they are shown, so that rows keep their place. */
    lists: ['devices', 'pages'],
    list: (query: string, start: object | null) => ['devices', 'pages', query, ...(start ? [start] : [])],
    /** The latest changes of a list, and its counts. */
    latest: ['devices', 'latest'],
    latestOf: (query: string) => ['devices', 'latest', query],
    /** The rows in view, by their ids with commas. */
    inView: (ids: string, values: readonly string[] = []) => ['devices', 'latest', 'in-view', ids, values],
    changes: ['devices', 'changes'],
    /** What the two above have found since the list was read at this time of the server. */
    changesSince: (at: string | undefined) => ['devices', 'changes', at],
    counts: ['devices', 'count'],
    count: (query: string) => ['devices', 'count', query],
    countBySwarm: (query: string) => ['devices', 'count', 'swarms', query],
    owned: ['devices', 'owned'],
    choices: ['devices', 'choice'],
    choice: (q: string) => ['devices', 'choice', q],
    found: (q: string) => ['devices', 'found', q],
  },
  device: {
    everyOne: ['device'],
    all: (id: string) => ['device', id],
    /** With its ETag, to be edited. */
    record: (id: string) => ['device', id, 'record'],
    swarms: (id: string) => ['device', id, 'swarms'],
    /** Who has deleted it or taken it over. */
    end: (id: string) => ['device', id, 'end'],
    /** The newest messages that it has sent. */
    sent: (id: string) => ['device', id, 'sent'],
    rows: ['device-row'],
    rowsOf: (id: string) => ['device-row', id],
    /** As in a list, own or not. */
    row: (id: string, audience = 'visible') => ['device-row', id, audience],
  },
  handover: (resource_id: string) => ['handover', resource_id],
  /** Where it was. Not with the rest of it, which is fetched again with each change. */
  track: (id: string) => ['track', id],
  /** What devices said over time. */
  values: {
    read: ['values', 'read'],
    ofDevice: (resource_id: string, of: object) => ['values', 'read', { resource_id }, of],
    ofSwarm: (swarm_id: string, of: object) => ['values', 'read', { swarm_id }, of],
    last: (resource_id: string) => ['values', 'last', { resource_id }],
    /** Read when opened. */
    recordedSince: (resource_id: string) => ['values', 'recorded-since', { resource_id }],
    /** What can be shown of the devices of an audience. */
    keys: (audience: string) => ['values', 'keys', audience],
    members: (swarm_id: string, key: string, q: string) => ['values', 'read', { swarm_id }, 'members', key, q],
    recent: (swarm_id: string) => ['values', 'read', { swarm_id }, 'recent'],
    /** What the stream has brought meanwhile. */
    everyLive: ['values', 'live'],
    live: (source: object) => ['values', 'live', source],
  },
  map: {
    all: ['map'],
    audience: (audience: string) => ['map', { audience }],
    view: (filters: object, viewport: object | null) => ['map', filters, viewport],
  },
  wall: {
    summaries: ['wall', 'summary'],
    summary: (audience: string) => ['wall', 'summary', audience],
    /** Read when opened. */
    around: (path: string) => ['wall', 'around', path],
    lists: ['wall', 'list'],
    list: (query: string) => ['wall', 'list', query],
  },
  messages: {
    /** All lists of a swarm. */
    of: (swarm_id: string) => ['messages', swarm_id],
    list: (swarm_id: string, filter: { resource?: string }) => ['messages', swarm_id, filter],
    /** A list that stays as it was when `newest` was its first row. */
    paused: (swarm_id: string, filter: { resource?: string }, newest: string) => ['messages', swarm_id, filter, newest],
    /** What a search has found. New messages do not change it. Read when opened. */
    found: (swarm_id: string, search: object) => ['messages-found', swarm_id, search],
  },
  swarms: {
    all: ['swarms'],
    lists: ['swarms', 'list'],
    list: (q: string) => ['swarms', 'list', q],
    choices: (relation: string, q: string) => ['swarms', 'choices', relation, q],
    found: (q: string) => ['swarms', 'found', q],
    directory: (filter: object) => ['swarms', 'directory', filter],
  },
  swarm: {
    everyOne: ['swarm'],
    all: (id: string) => ['swarm', id],
    overview: (id: string) => ['swarm', id, 'overview'],
    members: (id: string) => ['swarm', id, 'members'],
    memberList: (id: string, filters: object) => ['swarm', id, 'members', filters],
    /** The user's own devices that send to it. */
    ownSenders: (id: string) => ['swarm', id, 'members', 'own-senders'],
    consumers: (id: string, q: string) => ['swarm', id, 'members', 'consumers', q],
    /** Who would send to a device that joins, and who would receive from it. */
    flow: (id: string, query: object) => ['swarm', id, 'members', 'flow', query],
    /** The names of the devices that have sent something. */
    names: (id: string) => ['swarm', id, 'members', 'names'],
    namesOf: (id: string, ids: readonly string[]) => ['swarm', id, 'members', 'names', ids],
    boards: (id: string) => ['swarm', id, 'board'],
    board: (id: string, filters: object) => ['swarm', id, 'board', filters],
    /** The links by which others join it. */
    links: (id: string) => ['swarm', id, 'links'],
    managers: (id: string) => ['swarm', id, 'managers'],
    silenceNotices: (id: string) => ['swarm', id, 'silence-notices'],
    /** The users who may not ask to join it. */
    blocked: (id: string) => ['swarm', id, 'blocked'],
    /** The complete lists of its members and its open invitations. */
    known: (id: string) => ['swarm', id, 'known'],
  },
  /** Who sees a device, or the devices of a swarm. */
  audience: {
    all: ['audience'],
    of: (of: object, day: string) => ['audience', of, day],
    card: (resource_id: string) => ['audience', 'card', resource_id],
    links: (swarm_id: string) => ['audience', 'links', swarm_id],
  },
  /** What owners of swarms offer to the user. */
  offers: ['offers'],
  /** What links offer, and one of them by its code. */
  joinOffers: ['join-offer'],
  joinOffer: (code: string) => ['join-offer', code],
  /** Read when opened. */
  joinPreview: (code: string) => ['join-preview', code],
  invitations: {
    all: ['invitations'],
    /** The lists, which are long. Their newest rows are fetched instead (`head`). */
    lists: ['invitations', 'pages'],
    list: (query: BoxQuery) => ['invitations', 'pages', query],
    heads: ['invitations', 'head'],
    head: (query: BoxQuery) => ['invitations', 'head', query],
    items: ['invitations', 'one'],
    item: (id: string) => ['invitations', 'one', id],
    /** How many are for the devices of a dialog. Read when opened. */
    ofDevices: (dialog: string) => ['invitations', 'devices', dialog],
    count: ['invitations', 'count'],
  },
} as const;
