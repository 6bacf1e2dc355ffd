import { useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { createElement, useSyncExternalStore } from 'react';
import { applyOwnChanges } from '../../../api/changes.ts';
import { keepJobs } from '../../../api/jobs/kept-jobs.ts';
import { pauseFor } from '../../../api/jobs/send-each.ts';
import { randomKey } from '../../../api/sending-key.ts';
import { formatNumber, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { useToasts } from '../../../ui/toast.tsx';
import { useWaiting } from '../../../ui/use-waiting.ts';
import { onePerWaiting } from '../../../ui/waiting-held.ts';
import type { Waiting } from '../../../ui/waiting.ts';
import { sendInvitation } from '../swarm-writes.api.ts';
import { createSendQueue } from '../send-queue.ts';
import type { StoredJobs } from '../send-queue.ts';
import { InviteProgress } from './invite-progress.tsx';
import type { InviteRow } from './invite-check.ts';
import type { InviteAbout, InviteJob, InviteQueue } from './invite-ends.ts';

interface Held {
  invites: InviteQueue;
  kept: StoredJobs<InviteAbout, InviteRow>;
}

const heldBy = onePerWaiting(connect);

/** On the page itself one sees what became of each line. */
const resultInSight = () => document.querySelector('.invite') !== null;

export function useInvites(user_id: string): Held {
  return heldBy({ waiting: useWaiting(), client: useQueryClient(), user_id, show: useToasts().show });
}

export function useInviteJob({ subscribe, job }: InviteQueue): InviteJob | null {
  return useSyncExternalStore(subscribe, job);
}

function connect({
  waiting,
  client,
  user_id,
  show,
}: {
  waiting: Waiting;
  client: QueryClient;
  user_id: string;
  show: ReturnType<typeof useToasts>['show'];
}): Held {
  const kept: Held['kept'] = keepJobs({ name: `invites:${user_id}` });
  const invites: InviteQueue = createSendQueue({
    name: 'invite',
    waiting,
    kept,
    newKey: randomKey,
    send: ({ code, role }, { about: { swarm, message }, key }) =>
      sendInvitation({
        swarm_id: swarm.id,
        key,
        ...code,
        resource_type: role,
        ...(message !== '' && { description: message }),
      }),
    show: ({ about: { swarm }, lines }) => ({
      label: createElement(Rich, {
        text: t.invite.sending_to(lines.length, formatNumber(lines.length)),
        swarm: createElement(Bdi, null, swarm.name),
      }),
      progress: createElement(InviteProgress, { invites }),
    }),
    onEnd({ about: { swarm }, lines }) {
      applyOwnChanges(client, { type: 'invitation.sent', data: { swarm_id: swarm.id } });
      if (resultInSight()) return;
      const sent = lines.filter(({ end }) => end?.ok).length;
      const left = lines.length - sent;
      show({
        title: t.invite.sent_many(sent, formatNumber(sent)),
        ...(left > 0 && { text: t.invite.left_many(left, formatNumber(left)), tone: 'bad' as const }),
      });
    },
    pause: pauseFor,
  });
  return { invites, kept };
}
