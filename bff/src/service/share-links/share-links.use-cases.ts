/** What the owner of a device does to the links that show it. See `use-cases.ts`. */
import type { NewShareLink, ShareLink, ShareLinkCreate, ShareLinkUpdate } from '../../contract.ts';
import { shareLinkLimits } from '../../limits/part-limits.ts';
import { Problem } from '../../problem.ts';
import type { SentBody } from '../../sent-body.ts';
import type { Stores } from '../stores.ts';

export type ShareLinkUseCases = ReturnType<typeof createShareLinkUseCases>;

const dayMs = 86_400_000;

interface OfResource {
  userId: string;
  resourceId: string;
}

export function createShareLinkUseCases({
  resources,
  shareLinks,
  now,
  newId,
}: Pick<Stores, 'resources' | 'shareLinks'> & { now: () => Date; newId: () => string }) {
  function requireEnd(expiresAt: string): void {
    const last = new Date(now().getTime() + shareLinkLimits.days * dayMs).toISOString();
    if (expiresAt <= now().toISOString()) throw wrongEnd('must be in the future');
    if (expiresAt > last) throw wrongEnd(`must be at most ${shareLinkLimits.days} days from now`);
  }

  return {
    async createShareLink(request: OfResource & { sent: SentBody<ShareLinkCreate> }): Promise<NewShareLink> {
      const { userId, resourceId, sent } = request;
      await resources.require({ userId, id: resourceId, operation: 'createShareLink' });
      const body = sent.check();
      requireEnd(body.expires_at);
      const created = await shareLinks.create({ id: newId(), resourceId, userId, body });
      if (created === 'too many') throw new Problem('share_link.too_many', { detail: tooMany });
      if (typeof created === 'string') throw new Problem('resource.not_found');
      return created;
    },

    async listShareLinks({ userId, resourceId }: OfResource): Promise<ShareLink[]> {
      await resources.require({ userId, id: resourceId, operation: 'listShareLinks' });
      return shareLinks.ofResource(resourceId);
    },

    /** A link can only be made shorter: the people who have it may know its end. */
    async updateShareLink(request: OfResource & { id: string; sent: SentBody<ShareLinkUpdate> }): Promise<ShareLink> {
      const { userId, resourceId, id, sent } = request;
      await resources.require({ userId, id: resourceId, operation: 'updateShareLink' });
      const expiresAt = sent.check().expires_at;
      requireEnd(expiresAt);
      const isShorter = await shareLinks.shorten({ id, resourceId, userId, expiresAt });
      const link = await shareLinks.read({ id, resourceId });
      if (!link) throw new Problem('share_link.not_found');
      if (!isShorter) throw wrongEnd(`must not be after ${link.expires_at}`);
      return link;
    },

    async endShareLink({ userId, resourceId, id }: OfResource & { id: string }): Promise<void> {
      await resources.require({ userId, id: resourceId, operation: 'endShareLink' });
      if (!(await shareLinks.end({ id, resourceId, userId }))) throw new Problem('share_link.not_found');
    },
  };
}

const wrongEnd = (detail: string) =>
  new Problem('body.invalid', { errors: [{ pointer: '/expires_at', code: 'field.out_of_range', detail }] });
const tooMany = `An account can have up to ${shareLinkLimits.open} open links that show devices. End some first.`;
