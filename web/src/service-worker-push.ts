/** Shows the notices that the server sends while no page is open, and does what the user chooses on them. */
import type { PushedNotice, PushSettings } from '@swarmdeck/bff/contract';
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
/** What a notification of several notices does not have: it is not about one device. */
type Shown = Pick<PushedNotice, 'kind' | 'amount' | 'language'> & Partial<PushedNotice>;

declare const self: Worker;

const languages = import.meta.glob<PushTexts>('./text/*/push.ts', { import: 'push', eager: true });
const textsOf = (language: string) => languages[`./text/${language}/push.ts`] ?? languages['./text/en/push.ts']!;

export function showNotices(): void {
  self.addEventListener('push', (event) => event.waitUntil(receive(event.data?.json() as PushedNotice)));
  self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew()));
  self.addEventListener('notificationclick', (event) => {
    event.notification.close();
    const notice = event.notification.data as Shown;
    event.waitUntil(event.action === '' ? open(pathOf(notice)) : answer(notice, event.action));
  });
}

/** Several notices of one kind are one notification. */
async function receive(notice: PushedNotice) {
  const earlier = await self.registration.getNotifications({ tag: notice.kind });
  if (earlier.length === 0) return show(notice);
  const amount = earlier.reduce((sum, { data }) => sum + (data as Shown).amount, notice.amount);
  return show({ kind: notice.kind, language: notice.language, amount });
}

function show(notice: Shown, title = titleOf(notice)) {
  const { answers } = textsOf(notice.language);
  const options: NotificationOptions & { renotify: boolean; actions: { action: string; title: string }[] } = {
    tag: notice.kind,
    renotify: true,
    lang: notice.language,
    icon: '/icon-192.png',
    data: notice,
    ...(notice.text && { body: notice.text }),
    actions: notice.invitation_id
      ? [
          { action: 'accept', title: answers.accept },
          { action: 'reject', title: answers.reject },
        ]
      : [],
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

async function answer(notice: Shown, status: string) {
  const { resource_id, invitation_id, language } = notice;
  const path = `/api/resources/${resource_id}/invitations/${invitation_id}`;
  const response = await put(path, { status }).catch(() => undefined);
  // Without a network, or the session or the invitation has ended. The inbox says how it is.
  if (!response?.ok) await show(notice, textsOf(language).answers.failed);
}

const put = (path: string, body: object) =>
  fetch(path, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** The browser's push service has given it another address. The server has the choices of the user. */
async function renew() {
  const path = '/api/account/push';
  const { key, subscription } = (await (await fetch(path)).json()) as Partial<PushSettings>;
  // The session has ended.
  if (!key || !subscription) return;
  const { pushManager } = self.registration;
  const { endpoint, keys } = (
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  ).toJSON();
  await put(path, { ...subscription, endpoint, keys });
}

function pathOf({ kind, resource_id, swarm_id }: Shown): string {
  if (kind.startsWith('resource.')) return resource_id ? `/devices/${resource_id}` : '/activity';
  if (kind === 'invitation.requested' && swarm_id) return `/swarms/${swarm_id}?tab=invitations`;
  return '/invitations';
}

/** A page that shows something else is left as it is: it may have unsaved input. */
async function open(path: string) {
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(({ url }) => url === new URL(path, url).href);
  await (page ? page.focus() : self.clients.openWindow(path));
}
