import type { UrlCodec } from '../../../ui/url-state.ts';
import type { Box } from '../../../api/query-keys.ts';

export const inboxUrl: UrlCodec<{ box: Box; q: string; resource: string | undefined; selected: string | null }> = {
  read: (params) => ({
    box: params.get('tab') === 'sent' ? 'sent' : 'received',
    q: params.get('q') ?? '',
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
