import type { Activity, ActivityPage } from '@swarmdeck/bff/contract';
import { serverActor } from '@swarmdeck/bff/field-rules';
import { send } from '../../../api/client.ts';
import { completeTexts, t } from '../../../text/text.ts';
import { sentenceOf } from './activity-line.tsx';

/** Shows the newest entry of the activity log as a notification of the browser. Tabs with the same entry show one. */
export async function notifyOfNewest(user_id: string): Promise<void> {
  const [{ data }] = await Promise.all([send<ActivityPage>({ path: '/api/activity?limit=1' }), completeTexts()]);
  const [entry] = data.items;
  if (!entry || entry.actor === user_id) return;
  const notice = new Notification(plainSentence(entry, user_id), { tag: `activity-${entry.id}`, icon: '/icon.svg' });
  notice.addEventListener('click', () => {
    window.focus();
    location.assign('/activity');
  });
}

/** Without links: a notification is a plain text. */
export function plainSentence(entry: Activity, user_id: string): string {
  const { actor, resource, swarm, detail = '' } = entry;
  const roles: Record<string, string> = t.roles_in_sentences;
  const names: Record<string, string> = {
    actor: actor === serverActor ? '' : actor,
    device: resource?.name ?? t.activity.hidden_device.replace('{owner}', resource?.user_id ?? ''),
    swarm: swarm?.name ?? '',
    detail: roles[detail] ?? detail,
  };
  return sentenceOf(entry, user_id).replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? '');
}
