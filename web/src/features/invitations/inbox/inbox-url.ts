import type { Mailbox } from '../../../data/cache/query-keys.ts';
import { readSearch } from '../../../data/filter-params.ts';
import type { UrlCodec } from '../../../ui/urls/url-state.ts';

export interface InboxUrl {
  box: Mailbox;
  q: string;
  /** Only the invitations of this device. */
  resource: string | undefined;
  selected: string | null;
}

export const inboxUrl: UrlCodec<InboxUrl> = {
  read: (params) => ({
    box: params.get('tab') === 'sent' ? 'sent' : 'received',
    q: readSearch(params),
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
