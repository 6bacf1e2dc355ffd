/** The notifications of this browser (service-worker-push.ts). They belong to the session. */
import { queryOptions } from '@tanstack/react-query';
import type { PushSettings, PushSubscribe } from '@swarmdeck/bff/contract';
import { read, send } from '../../data/client.ts';
import { accountKeys } from '../../data/cache/account-keys.ts';
import { language } from '../../text/language.ts';

const path = '/api/account/push';

/** What the user has chosen; null: no notifications. */
type Choice = Pick<PushSubscribe, 'shows_names'> | null;

/** Without HTTPS, and in some private windows, a browser has no service worker. */
export const hasPush = () => 'serviceWorker' in navigator && 'PushManager' in globalThis;

/** Undefined until the service worker is registered, soon after the first page is there. */
const registered = async () => (hasPush() ? navigator.serviceWorker.getRegistration() : undefined);
const currentOf = (registration: ServiceWorkerRegistration | undefined) => registration?.pushManager.getSubscription();

export const pushQuery = queryOptions({
  queryKey: accountKeys.push,
  async queryFn({ signal }): Promise<PushSettings> {
    const [data, current] = await Promise.all([read(path, {}, { signal }), registered().then(currentOf)]);
    // The browser has another address since, or the user has taken the permission back.
    const isCurrent = current?.endpoint === data.subscription?.endpoint;
    return { key: data.key, subscription: isCurrent ? data.subscription : null };
  },
});

/**
 * Asks for the permission of the browser if it is needed. Without the permission, nothing changes.
 * @throws DOMException if the browser cannot reach its push service
 */
export async function choosePush(choice: Choice, { key, subscription }: PushSettings): Promise<void> {
  if (choice && (await Notification.requestPermission()) !== 'granted') return;
  if (!(await registered())) throw new DOMException('There is no service worker', 'AbortError');
  const { pushManager: manager } = await navigator.serviceWorker.ready;
  const current = await manager.getSubscription();
  if (!choice) {
    await send({ method: 'DELETE', path });
    await current?.unsubscribe();
    return;
  }
  // One that the server does not know may be of an earlier user, or for another key.
  if (!subscription) await current?.unsubscribe();
  const used = subscription ? current : await manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = used!.toJSON();
  await send({ method: 'PUT', path, body: { endpoint, keys, language, ...choice } });
}

/** Nothing of this user is shown any more. The page does not wait for the push service. */
export async function endPush(): Promise<void> {
  const registration = await registered();
  const current = await currentOf(registration);
  void current?.unsubscribe();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}
