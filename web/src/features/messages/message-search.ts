/** What the tab of a swarm's messages is filtered by, in its URL and in requests. */
import { pathTo } from '../../data/path-to.ts';
import { minuteMs } from '@swarmdeck/bff/durations';
import { queryString, readSearch } from '../../data/filter-params.ts';
import type { UrlCodec } from '../../ui/urls/url-state.ts';

export interface MessageSearch {
  /** The id of a device; '' for all. */
  from: string;
  q: string;
  /** ISO times in UTC; '' for any time. */
  after: string;
  before: string;
}

const readTime = (text: string | null): string => (text && Date.parse(text) ? new Date(text).toISOString() : '');

export const searchUrl: UrlCodec<MessageSearch> = {
  read: (params) => ({
    from: params.get('from') ?? '',
    q: readSearch(params),
    after: readTime(params.get('after')),
    before: readTime(params.get('before')),
  }),
  write: ({ from, q, after, before }) => ({
    from: from || undefined,
    q: q || undefined,
    after: after || undefined,
    before: before || undefined,
  }),
};

/** Without the device, of which there is a live list. */
export const noSearch = { q: '', after: '', before: '' };
export const isSearch = ({ q, after, before }: MessageSearch): boolean =>
  q.trim() !== '' || after !== '' || before !== '';

/** The parameters of a request. */
export const searchParams = ({ from, q, after, before }: MessageSearch) => ({
  resource_id: from || undefined,
  q: q.trim() || undefined,
  sent_after: after || undefined,
  sent_before: before || undefined,
});

export const exportPath = (swarm_id: string, search: MessageSearch, format: 'csv' | 'ndjson'): string =>
  pathTo('/api/swarms/:id/messages/export', { id: swarm_id }, queryString({ format, ...searchParams(search) }));

/** A time as an input of the type `datetime-local` has it: local, without a zone. */
export function localInput(iso: string): string {
  if (iso === '') return '';
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * minuteMs).toISOString().slice(0, 19);
}

/** The time of such an input; '' if it is empty or incomplete. */
export const timeOfInput = (local: string): string => readTime(local);
