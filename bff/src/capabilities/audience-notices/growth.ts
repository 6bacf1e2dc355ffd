/** What the owner of a member device is told: who sees it now and did not before. */
import type { AudienceRole, Reach } from '../../contract.ts';
import { audienceRoles, reaches } from '../../core/limits/field-rules.ts';

export interface AudienceChange {
  seq: number;
  at: string;
  kind: AudienceRole | 'none' | Reach | 'receives' | 'receives_not' | 'links' | 'links_not' | 'guests' | 'guests_not';
  /** Null if it is the reach of the swarm or its links, '' if the account has ended. */
  user_id: string | null;
  /** What it was before: of a user who receives, how many users received. */
  was: string;
}

/** The users whose growth has to be computed. `since`: they see the swarm since then or later. `receivers`, `shown`: also those with such devices. */
export interface Concerned {
  since: string;
  receivers: boolean;
  shown: boolean;
}

/** A text that sorts after all times. */
const never = '~';

/** An owner of members. `since`: when this user began to see the swarm. `consumers`: own devices that receive. `shown`: that links may show. */
export interface Viewer {
  user_id: string;
  since: string;
  consumers: number;
  shown: number;
}

const roles = ['none', ...audienceRoles] as const;

const rankOf = (value: string) => (roles as readonly string[]).indexOf(value);
const links = ['links_not', 'links'] as const;
const guests = ['guests_not', 'guests'] as const;

/** A user who saw the swarm before all changes, does not receive, and is not shown by links. */
const anyViewer: Viewer = { user_id: '', since: '', consumers: 0, shown: 0 };

/**
 * What has grown by these changes of a swarm, as the `detail` of an activity has it; undefined if nothing has. `changes` are in their
 * order: what one has undone of another is no growth.
 */
export function growthFor(viewer: Viewer, changes: readonly AudienceChange[]): string | undefined {
  const news = changes.filter(({ at, user_id }) => at >= viewer.since && user_id !== viewer.user_id);
  const parts = [
    ...newRoles(news),
    ...(isFirstReceiver(viewer, { changes, news }) ? ['receivers'] : []),
    ...grownIn(reaches, news),
    ...grownIn(links, news),
    ...(viewer.shown > 0 ? grownIn(guests, news) : []),
  ];
  return parts.length > 0 ? parts.join(',') : undefined;
}

/**
 * `growthFor` of many users. It is the same for all who saw the swarm before the first change and did not change anything themselves, so
 * it is computed once for each of the four groups of them: who receive or not, and are shown by links or not.
 */
export function growthForMany(changes: readonly AudienceChange[]): (viewer: Viewer) => string | undefined {
  const names = new Set(changes.map(({ user_id }) => user_id));
  const first = firstTime(changes);
  const ofMost = [0, 1].map((consumers) =>
    [0, 1].map((shown) => growthFor({ ...anyViewer, consumers, shown }, changes)),
  );
  return (viewer) =>
    viewer.since <= first && !names.has(viewer.user_id)
      ? ofMost[viewer.consumers > 0 ? 1 : 0]![viewer.shown > 0 ? 1 : 0]
      : growthFor(viewer, changes);
}

/** The clock of the database may have been set back in between. */
const firstTime = (changes: readonly AudienceChange[]) =>
  changes.reduce((first, { at }) => (at < first ? at : first), changes[0]?.at ?? '');

/**
 * Returns the users whose growth has to be computed, or undefined if nothing has grown for anybody.
 */
export function concernedBy(changes: readonly AudienceChange[]): Concerned | undefined {
  if (growthFor(anyViewer, changes) !== undefined) return { since: '', receivers: true, shown: true };
  const receivers = receiversAfter(changes) >= 2 && changes.some(({ kind }) => kind === 'receives');
  // Somebody who joined after the first of two changes that undo each other knows only of the second one.
  const isNewToSome = changes.some((change) => growthFor(anyViewer, [change]) !== undefined);
  const shown = changes.some(isOfGuests);
  if (!receivers && !isNewToSome && !shown) return undefined;
  return { since: isNewToSome ? firstTime(changes) : never, receivers, shown };
}

/** Users who have a higher role than before. */
function newRoles(news: readonly AudienceChange[]): string[] {
  const ofRoles = news.filter(({ kind, user_id }) => rankOf(kind) >= 0 && user_id !== '');
  const byUser = [...Map.groupBy(ofRoles, ({ user_id }) => user_id)];
  return byUser
    .map(([user, all]) => ({ user, was: rankOf(all[0]!.was), is: rankOf(all.at(-1)!.kind) }))
    .filter(({ was, is }) => is > was)
    .toSorted((a, b) => b.is - a.is)
    .map(({ user, is }) => `${roles[is]}:${user}`);
}

/** Whether devices of others receive now, and none did before. */
function isFirstReceiver(
  viewer: Viewer,
  { changes, news }: { changes: readonly AudienceChange[]; news: readonly AudienceChange[] },
): boolean {
  const first = news.find(isOfReceivers);
  if (!first) return false;
  const own = changes.findLast(
    (change) => change.user_id === viewer.user_id && change.seq < first.seq && isOfReceivers(change),
  );
  const hadOwn = own ? own.kind === 'receives' : viewer.consumers > 0 && !beginsToReceiveAfter(viewer, changes, first);
  const [before, after] = [Number(first.was) - Number(hadOwn), receiversAfter(changes) - Number(viewer.consumers > 0)];
  return before <= 0 && after > 0;
}

/** How many users receive after these changes, or 2 if more do. The number of now may belong to later changes. */
function receiversAfter(changes: readonly AudienceChange[]): number {
  const last = changes.findLast(isOfReceivers);
  if (!last) return 0;
  return Number(last.was) + (last.kind === 'receives' ? 1 : -1);
}

export const isOfReceivers = ({ kind }: AudienceChange) => kind === 'receives' || kind === 'receives_not';

const isOfGuests = ({ kind }: AudienceChange) => kind === 'guests';

/** Whether own devices of the viewer receive only since a later change. */
const beginsToReceiveAfter = ({ user_id }: Viewer, changes: readonly AudienceChange[], { seq }: AudienceChange) =>
  changes.find((change) => change.user_id === user_id && change.seq > seq && change.kind.startsWith('receives'))
    ?.kind === 'receives';

/** What the swarm is now, in the order of what it can be, if that is more than it was before. */
function grownIn(order: readonly string[], news: readonly AudienceChange[]): string[] {
  const ofOrder = news.filter(({ kind }) => order.includes(kind));
  const [first, last] = [ofOrder[0], ofOrder.at(-1)];
  return first && last && order.indexOf(last.kind) > order.indexOf(first.was) ? [last.kind] : [];
}
