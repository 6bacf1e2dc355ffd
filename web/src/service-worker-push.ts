/** Shows the notices that the server sends while no page is open, and does what the user chooses on them. */
import type { PushedNotice, PushSettings } from '@swarmdeck/bff/contract';
import { minuteMs } from '@swarmdeck/bff/durations';
import type { OutboxEntry } from './data/outbox/outbox-entry.ts';
import { noticeTagOf, outboxChannel, storeEntry } from './data/outbox/outbox-database.ts';
import { isFromServer } from './data/server-response.ts';
import { isolate } from './text/isolate.ts';
import type { PushTexts } from './text/en/push.ts';

interface WorkerEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}
interface Worker {
  registration: ServiceWorkerRegistration;
  clients: {
    matchAll(options: { type: 'window' }): Promise<{ url: string; focus(): Promise<unknown> }[]>;
    openWindow(path: string): Promise<unknown>;
  };
  addEventListener(type: 'pushsubscriptionchange', listen: (event: WorkerEvent) => void): void;
  addEventListener(type: 'push', listen: (event: WorkerEvent & { data: { json(): unknown } | null }) => void): void;
  addEventListener(
    type: 'notificationclick',
    listen: (event: WorkerEvent & { action: string; notification: Notification }) => void,
  ): void;
}
/** `at`: when it was pushed, in ms. A notification of several notices is not about one device. */
type Shown = Pick<PushedNotice, 'kind' | 'amount' | 'language'> & Partial<PushedNotice> & { at: number };

declare const self: Worker;

const languages = import.meta.glob<PushTexts>('./text/*/push.ts', { import: 'push', eager: true });
const textsOf = (language: string) => languages[`./text/${language}/push.ts`] ?? languages['./text/en/push.ts']!;

/** In ms. Notices of one kind that follow each other sooner make a sound once. */
const quietFor = 10 * minuteMs;

export function showNotices(): void {
  // One after the other, so that each finds what the one before has shown.
  let turn: Promise<unknown> = Promise.resolve();
  self.addEventListener('push', (event) => {
    turn = turn.catch(() => undefined).then(() => receive(event.data?.json() as PushedNotice));
    event.waitUntil(turn);
  });
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew()));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const notice = event.notification.data as Shown;
    event.waitUntil(event.action === 'reject' ? reject(notice) : open(pathOf(notice)));
  });
}

/** Several notices of one kind are one notification. */
async function receive(notice: PushedNotice) {
  const notifications = await self.registration.getNotifications({ tag: notice.kind });
  const earlier = notifications.map(({ data }) => data as Shown);
  const at = Date.now();
  const makesSound = earlier.every((shown) => at - shown.at > quietFor);
  if (earlier.length === 0) return show({ ...notice, at }, { makesSound });
  const amount = earlier.reduce((sum, shown) => sum + shown.amount, notice.amount);
  return show({ kind: notice.kind, language: notice.language, amount, at }, { makesSound });
}

interface ShowOptions {
  title?: string;
  /** A notification with the same one is replaced. */
  tag?: string;
  makesSound?: boolean;
  /** Whether the invitation needs an answer. */
  isAsked?: boolean;
}

/** With the names, an invitation can be rejected here. What accepting means is beside the button that does it, in the app. */
function show(notice: Shown, shown: ShowOptions = {}) {
  const { title = titleOf(notice), tag = notice.kind, makesSound = false, isAsked = true } = shown;
  const { answers } = textsOf(notice.language);
  const names = [notice.resource_name, notice.swarm_name].filter((name) => name !== undefined);
  const hasAnswers = isAsked && notice.invitation_id !== undefined && names.length === 2;
  const options: NotificationOptions & { renotify: boolean; actions: { action: string; title: string }[] } = {
    tag,
    renotify: makesSound,
    lang: notice.language,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: notice,
    ...(names.length > 0 && { body: names.map(isolate).join(' · ') }),
    actions: hasAnswers ? (['accept', 'reject'] as const).map((action) => ({ action, title: answers[action] })) : [],
  };
  return self.registration.showNotification(title, options);
}

function titleOf({ kind, amount, language }: Shown): string {
  const { kinds, other } = textsOf(language);
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string } =
    kinds[kind as keyof typeof kinds] ?? other;
  const form = forms[new Intl.PluralRules(language).select(amount)] ?? forms.other;
  return form.replace('#', new Intl.NumberFormat(language).format(amount));
}

/** The same may succeed later. */
const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504]);

async function reject(notice: Shown) {
  const { resource_id, invitation_id, language } = notice;
  const path = `/api/resources/${resource_id}/invitations/${invitation_id}`;
  const response = await put(path, { status: 'reject' }).catch(() => undefined);
  const isAnswered = response !== undefined && isFromServer(response) && !temporary.has(response.status);
  if (isAnswered && response.ok) return;
  const { waits, failed } = textsOf(language).answers;
  // The session or the invitation has ended: the inbox says how it is.
  const stored = isAnswered ? undefined : await storeRejection(notice).catch(() => undefined);
  // It is not replaced by the next notice.
  if (!stored) return show(notice, { title: failed, tag: `answer:${invitation_id}` });
  // It is not rejected twice.
  await show(notice, { title: waits, tag: noticeTagOf(stored.id), isAsked: false });
  // Only now: a page that is open sends it, and closes what is shown (data/outbox/outbox.ts).
  new BroadcastChannel(outboxChannel).postMessage('changed');
}

/** Without a network, or in one where the user has to sign in first. A page of the app sends it, also one that is open now. */
async function storeRejection(notice: Shown): Promise<OutboxEntry | undefined> {
  const { user_id, invitation_id, resource_name, swarm_name } = notice;
  if (user_id === undefined || invitation_id === undefined) return undefined;
  const item = { id: invitation_id, name: resource_name ?? '', swarm: swarm_name ?? '' };
  const action = { kind: 'answer' as const, about: { answer: 'reject' as const }, items: [item] };
  const entry: OutboxEntry = { id: crypto.randomUUID(), user_id, at: Date.now(), task: { type: 'action', action } };
  await storeEntry(entry);
  return entry;
}

/** In ms. A network that loses what it is sent refuses nothing, and browsers end a worker that waits. */
const longestWait = 20_000;

const put = (path: string, body: object) =>
  fetch(path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(longestWait),
  });

/** The browser's push service has given it another address. The server has the choices of the user. */
async function renew() {
  const path = '/api/account/push';
  const response = await fetch(path);
  if (!isFromServer(response)) return;
  const { key, subscription } = (await response.json()) as Partial<PushSettings>;
  // The session has ended.
  if (!key || !subscription) return;
  const { pushManager } = self.registration;
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  ).toJSON();
  await put(path, { ...subscription, endpoint, keys });
}

function pathOf({ kind, resource_id, swarm_id, invitation_id }: Shown): string {
  if (kind === 'account.signed_in_new') return '/account#sessions';
  if (kind.startsWith('resource.') || kind === 'member.ending')
    return resource_id ? `/devices/${resource_id}` : '/activity';
  if ((kind === 'swarm.silent' || kind === 'swarm.watcher_ending') && swarm_id) return `/swarms/${swarm_id}`;
  if (kind === 'swarm.audience_grown') return swarm_id ? `/swarms/${swarm_id}?tab=audience` : '/activity';
  if (kind === 'invitation.requested' && swarm_id) return `/swarms/${swarm_id}?tab=invitations`;
  return invitation_id ? `/invitations?sel=${invitation_id}` : '/invitations';
}

/** A page that shows something else is left as it is: it may have unsaved input. */
async function open(path: string) {
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => url === new URL(path, url).href);
  await (page ? page.focus() : self.clients.openWindow(path));
}
