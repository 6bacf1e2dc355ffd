import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { InvitationItem, SwarmItem } from '@swarmdeck/bff/contract';
import { randomKey } from '../../api/sending-key.ts';
import { formatNumber } from '../../text/text.ts';
import { Bdi } from '../../ui/bidi.tsx';
import { Rich } from '../../ui/rich.tsx';
import { useToasts } from '../../ui/toast.tsx';
import { useWaiting } from '../../ui/use-waiting.ts';
import { sendEach } from './bulk.ts';
import { words } from './swarm-words.ts';
import { sendInvitation, withdrawInvitation } from './swarm-writes.api.ts';
import { boardChanged, readStale } from './swarms.api.ts';
import { useRefused } from './use-refused.ts';
import { withdrawKey, withdrawStaleKey } from './waiting-keys.ts';

const text = words.board;

/** Sends again at once; withdraws after ten seconds, in which it can be undone. */
export function useBoardActs(swarm: SwarmItem) {
  const client = useQueryClient();
  const waiting = useWaiting();
  const toasts = useToasts();
  const refused = useRefused();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const swarm_id = swarm.id;

  async function sendAgain(invitations: readonly InvitationItem[]) {
    setBusy(new Set(invitations.map(({ id }) => id)));
    const job = randomKey();
    let sent = 0;
    let failure: unknown;
    await sendEach({
      rows: invitations,
      send: ({ to, resource_id, resource_type, description }, index) =>
        sendInvitation({
          swarm_id,
          key: `${job}-${index}`,
          to,
          resource_id,
          resource_type,
          ...(description !== undefined && { description }),
        }),
      onResult: (_row, result) => {
        if (result.ok) sent += 1;
        else failure = result.error;
      },
    });
    setBusy(new Set());
    boardChanged(client, swarm_id);
    if (sent > 0) toasts.show({ title: text.sent_again(sent, formatNumber(sent)), icon: 'check' });
    if (sent < invitations.length) refused(text.not_sent, failure);
  }

  const onRefused = (error: unknown) => {
    boardChanged(client, swarm_id);
    refused(text.not_withdrawn, error);
  };
  return {
    busy,
    sendAgain: (invitation: InvitationItem) => void sendAgain([invitation]),
    async sendAllAgain() {
      try {
        await sendAgain(await readStale(swarm_id));
      } catch (error) {
        refused(text.not_sent, error);
      }
    },
    withdraw: ({ id, to }: InvitationItem) =>
      waiting.add({
        key: withdrawKey(id),
        label: <Rich text={text.withdrawing} to={<Bdi>{to}</Bdi>} />,
        send: ({ keepalive }) => withdrawInvitation({ client, swarm_id, id, keepalive }),
        onRefused,
      }),
    /** Which ones that are is looked up now: what becomes stale while it waits stays. */
    async withdrawAll() {
      let stale: InvitationItem[];
      try {
        stale = await readStale(swarm_id);
      } catch (error) {
        return refused(text.not_withdrawn, error);
      }
      waiting.add({
        key: withdrawStaleKey(swarm_id),
        label: text.withdrawing_all(stale.length, formatNumber(stale.length)),
        async send({ keepalive }) {
          let failure: unknown;
          await sendEach({
            rows: stale,
            send: ({ id }) => withdrawInvitation({ client, swarm_id, id, keepalive }),
            onResult: (_row, result) => {
              if (!result.ok) failure = result.error;
            },
          });
          if (failure !== undefined) onRefused(failure);
        },
        onRefused,
      });
    },
  };
}

export type BoardActs = ReturnType<typeof useBoardActs>;
