/** What users choose about notices of silent members. See `use-cases.ts`. */
import type { z } from '@hono/zod-openapi';
import type { silenceNotices } from '../../contract.ts';
import { countRetries } from '../limits/retries.ts';
import type { SentBody } from '../sent-body.ts';
import type { Stores } from '../stores.ts';
import type { SilenceNotices } from './silence-notices.store.ts';

type Chosen = z.infer<typeof silenceNotices>;

export function createSilenceNoticeUseCases({ swarms, notices }: Pick<Stores, 'swarms'> & { notices: SilenceNotices }) {
  return {
    async setSilenceNotices(request: { userId: string; id: string; sentBody: SentBody<Chosen> }): Promise<Chosen> {
      const { userId, id, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        await swarms.require({ userId, id, operation: 'setSilenceNotices' });
        const { enabled } = sentBody.check();
        if (await notices.set({ swarmId: id, userId, enabled })) return { enabled };
      }
    },
  };
}
