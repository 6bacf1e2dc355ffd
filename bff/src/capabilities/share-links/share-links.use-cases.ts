/** What owners do to the links that show their devices and swarms. See `use-cases.ts`. */
import type { NewShareLink, ShareLink, ShareLinkCreate, ShareLinkUpdate } from '../../contract.ts';
import { dayMs } from '../../core/limits/durations.ts';
import { shareLinkLimits } from './limits.ts';
import { countRetries } from '../../core/limits/retries.ts';
import { Problem } from '../../core/problem.ts';
import type { SentBody } from '../../core/sent-body.ts';
import type { Stores } from '../../core/stores.ts';
import { isOfSwarm, type ShareLinks, type Shown } from './share-links.store.ts';

export type ShareLinkUseCases = ReturnType<typeof createShareLinkUseCases>;

interface Owned {
  userId: string;
  shown: Shown;
}

export function createShareLinkUseCases({
  resources,
  swarms,
  shareLinks,
  now,
  newId,
}: Pick<Stores, 'resources' | 'swarms'> & { shareLinks: ShareLinks; now: () => Date; newId: () => string }) {
  function requireEnd(expiresAt: string): void {
    const last = new Date(now().getTime() + shareLinkLimits.days * dayMs).toISOString();
    if (expiresAt <= now().toISOString()) throw wrongEnd('must be in the future');
    if (expiresAt > last) throw wrongEnd(`must be at most ${shareLinkLimits.days} days from now`);
  }

  /** The owners of devices and of swarms may do the same. */
  const requireOwn = ({ userId, shown }: Owned, what: 'create' | 'list' | 'update' | 'end') =>
    isOfSwarm(shown)
      ? swarms.require({ userId, id: shown.swarmId, operation: operations[what].swarm })
      : resources.require({ userId, id: shown.resourceId, operation: operations[what].resource });

  return {
    async createShareLink(request: Owned & { sentBody: SentBody<ShareLinkCreate> }): Promise<NewShareLink> {
      const { userId, shown, sentBody } = request;
      for (const retry = countRetries(); ; retry()) {
        await requireOwn(request, 'create');
        const body = sentBody.check();
        requireEnd(body.expires_at);
        const created = await shareLinks.create({ id: newId(), shown, userId, body });
        if (created === 'no user') throw new Problem('key.invalid');
        if (created === 'too many') throw new Problem('share_link.too_many', { detail: tooMany });
        if (created === 'too many of swarm') throw new Problem('share_link.too_many', { detail: tooManyOfSwarm });
        // It was deleted or handed over meanwhile.
        if (created !== 'not yours') return created;
      }
    },

    async listShareLinks(request: Owned): Promise<ShareLink[]> {
      await requireOwn(request, 'list');
      return shareLinks.list(request.shown);
    },

    /** Sets an earlier or a later end. */
    async updateShareLink(request: Owned & { id: string; sentBody: SentBody<ShareLinkUpdate> }): Promise<ShareLink> {
      const { userId, shown, id, sentBody } = request;
      await requireOwn(request, 'update');
      const expiresAt = sentBody.check().expires_at;
      requireEnd(expiresAt);
      const isOpen = await shareLinks.setEnd({ id, shown, userId, expiresAt });
      const link = isOpen ? await shareLinks.read({ id, shown }) : undefined;
      if (!link) throw new Problem('share_link.not_found');
      return link;
    },

    async endShareLink({ id, ...request }: Owned & { id: string }): Promise<void> {
      await requireOwn(request, 'end');
      if (!(await shareLinks.end({ id, ...request }))) throw new Problem('share_link.not_found');
    },
  };
}

const operations = {
  create: { resource: 'createShareLink', swarm: 'createSwarmShareLink' },
  list: { resource: 'listShareLinks', swarm: 'listSwarmShareLinks' },
  update: { resource: 'updateShareLink', swarm: 'updateSwarmShareLink' },
  end: { resource: 'endShareLink', swarm: 'endSwarmShareLink' },
} as const;

const wrongEnd = (detail: string) =>
  new Problem('body.invalid', { errors: [{ pointer: '/expires_at', code: 'field.out_of_range', detail }] });
const tooMany = `An account can have up to ${shareLinkLimits.open} open links that show devices or swarms. End some first.`;
const tooManyOfSwarm = `Up to ${shareLinkLimits.openOfSwarm} open links can show a swarm. End some first.`;
