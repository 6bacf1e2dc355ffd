import type { Message } from '@swarmdeck/bff/contract';
import { exactPayload } from '../../data/exact-payload.ts';
import { usePagedQuery } from '../../data/cache/paged-query.ts';
import { formatDateTimeSeconds } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { JsonLine } from '../../ui/texts/json.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { MoreButton, NextPageFailed } from '../../ui/buttons/more-button.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { ByUser } from './by-user.tsx';
import type { MessageSearch } from './message-search.ts';
import { foundMessagesQuery } from './messages.api.ts';
import { textOf } from './payload-text.ts';
import { useWholeSearch } from './use-whole-search.ts';

interface FoundSentProps {
  swarm_id: string;
  search: MessageSearch;
  onOpen(message: Message): void;
}

/** What a search has found among the messages of a device to a swarm. */
export function FoundSent({ swarm_id, search, onOpen }: FoundSentProps) {
  const { query, rows } = usePagedQuery(foundMessagesQuery(swarm_id, search));
  const isSearching = useWholeSearch(query, true);
  if (query.isError && !query.data)
    return <LoadFailedNote className="box-row" title={t.messages.failed} query={query} />;
  if (query.isPending || query.isPlaceholderData || (isSearching && rows.length === 0))
    return <SkeletonRows count={3} badge={false} label={t.messages.searching} />;
  if (rows.length === 0 && query.isFetchNextPageError) return <NextPageFailed query={query} />;
  return (
    <>
      <p className="box-text quiet">
        <output>{rows.length === 0 ? t.messages.none_found : t.messages.found(rows.length, query.hasNextPage)}</output>
      </p>
      <ul aria-label={t.messages.title}>
        {rows.map((message) => (
          <li key={message.id}>
            <button type="button" className="line gap-3 hoverable sent-row" onClick={() => onOpen(message)}>
              <time className="quiet numbers" dateTime={message.sent_at}>
                {formatDateTimeSeconds(message.sent_at)}
              </time>
              <ByUser message={message} />
              <JsonLine value={exactPayload(message)} text={textOf(message)} />
            </button>
          </li>
        ))}
      </ul>
      <MoreButton query={query} label={t.messages.search_on} end={t.messages.search_end} />
    </>
  );
}
