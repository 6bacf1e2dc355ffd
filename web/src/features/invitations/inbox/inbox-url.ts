import type { Mailbox } from '../../../data/cache/query-keys.ts';
import { readSearch } from '../../../data/filter-params.ts';
import type { UrlCodec } from '../../../ui/url-state.ts';

export const inboxUrl: UrlCodec<{ box: Mailbox; q: string; resource: string | undefined; selected: string | null }> = {
  read: (params) => ({
    box: params.get('tab') === 'sent' ? 'sent' : 'received',
    q: readSearch(params),
    /** Invitations for this device only. */
    resource: params.get('resource') ?? undefined,
    selected: params.get('sel'),
  }),
  write: ({ box, q, resource, selected }) => ({
    tab: box === 'sent' ? 'sent' : undefined,
    q: q || undefined,
    resource,
    sel: selected ?? undefined,
  }),
};
