import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Message } from '@swarmdeck/bff/contract';
import { isDenied } from '../../data/problem.ts';
import { exactPayload } from '../../data/exact-json.ts';
import { liveRows } from '../../data/cache/cached-messages.ts';
import { usePagedQuery } from '../../data/cache/paged-query.ts';
import { formatClockSeconds, formatDateTimeSeconds, t } from '../../text/text.ts';
import { Empty } from '../../ui/empty.tsx';
import { JsonLine } from '../../ui/json.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { atTextSize, phone as phoneQuery, useMedia } from '../../ui/media.ts';
import { NextPageFailed } from '../../ui/more-button.tsx';
import { pageFoot } from '../../ui/page-foot.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Bdi, Rich } from '../../ui/rich.tsx';
import { Select } from '../../ui/select.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useUrlState } from '../../ui/url-state.ts';
import type { VirtualListHandle } from '../../ui/virtual-list.tsx';
import '../../ui/box.css';
import { isSearch, searchUrl, type MessageSearch } from './message-search.ts';
import { MessageTools } from './message-tools.tsx';
import {
  foundMessagesQuery,
  liveMessagesQuery,
  pausedMessagesQuery,
  useDeviceNames,
  type LoadedMessages,
} from './messages.api.ts';
import './messages.css';
import { MessageDialog } from './message-dialog.tsx';
import { OwnProducers } from './own-producers.tsx';
import { textOf } from './payload-text.ts';
import { useWholeSearch } from './use-whole-search.ts';

/** What is said in a swarm: new messages appear by themselves until the list is paused. A search finds older ones. */
export function SwarmMessages({ swarm_id }: { swarm_id: string }) {
  const client = useQueryClient();
  const phone = useMedia(phoneQuery);
  const [search, setUrl] = useUrlState(searchUrl);
  const { from } = search;
  const searches = isSearch(search);
  const [paused, setPaused] = useState<{ from: string; at: LoadedMessages } | null>(null);
  const [opened, setOpened] = useState<Message | null>(null);
  const list = useRef<VirtualListHandle>(null);
  // A link to this tab also ends the filter, and then shows the live list.
  const pausedAt = !searches && paused?.from === from ? paused.at : null;
  const live = liveMessagesQuery(swarm_id, from);
  // It goes on behind a paused list, so that the user sees how much there is to read.
  const arrived = newerThan(useInfiniteQuery({ ...live, enabled: !searches }).data, pausedAt);
  const { query, rows } = usePagedQuery(
    searches ? foundMessagesQuery(swarm_id, search) : pausedAt ? pausedMessagesQuery(swarm_id, from, pausedAt) : live,
  );
  const isSearching = useWholeSearch(query, searches);
  const { names, isNamed } = useDeviceNames(swarm_id, from === '' ? rows : [...rows, senderOf(from)]);
  const shown = rows.filter(isNamed);
  const nameOf = (id: string) => names[id] ?? (names[id] === null ? t.messages.former : '…');
  const pause = () => {
    const at = client.getQueryData<LoadedMessages>(live.queryKey);
    if (at) setPaused({ from, at });
  };
  const resume = () => {
    // Near its end, the list would be paused again at once.
    list.current?.scrollToTop();
    setPaused(null);
  };
  const onSearch = (change: Partial<MessageSearch>) => {
    setPaused(null);
    setUrl(change);
  };
  const senders = [...new Set([...(from === '' ? [] : [from]), ...shown.map((row) => row.from)])]
    .map((id) => ({ id, name: nameOf(id) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  // Older rows are read in a list that does not move.
  const older = searches || pausedAt ? query : { ...query, isFetchNextPageError: false, fetchNextPage: pause };

  if (query.isError && isDenied(query.error))
    return (
      <Empty icon="lock" title={t.messages.denied_title} text={t.messages.denied_text}>
        <OwnProducers
          swarm_id={swarm_id}
          text={t.messages.sent_by}
          pathOf={(id) => `/swarms/${swarm_id}?tab=messages&from=${id}`}
        />
      </Empty>
    );
  if (query.isPending) return <SkeletonRows count={8} badge={false} label={t.messages.loading} />;
  if (!query.data) return <LoadFailed title={t.messages.error_title} query={query} />;
  // Until its rows are read, there are those of the filter before.
  const isRead = !query.isPlaceholderData && (shown.length > 0 || rows.length === 0);
  if (isRead && rows.length === 0 && from === '' && !searches)
    return (
      <Empty icon="send" title={t.messages.empty_title} text={t.messages.empty_text}>
        <OwnProducers swarm_id={swarm_id} text={t.messages.connect} pathOf={(id) => `/devices/${id}`} />
      </Empty>
    );
  return (
    <div className="column messages">
      <MessageTools
        {...{ swarm_id, search, onSearch }}
        choice={
          <Select
            aria-label={t.messages.by_device}
            value={from}
            options={[
              { value: '', label: t.messages.all_devices },
              ...senders.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(id) => onSearch({ from: id })}
          />
        }
        pause={
          searches
            ? undefined
            : {
                isPaused: pausedAt !== null,
                label: pausedAt ? t.messages.resume(arrived, arrived >= liveRows) : t.messages.pause,
                onToggle: pausedAt ? resume : pause,
              }
        }
      />
      <section className="box column messages-box" aria-label={t.messages.title}>
        {!isRead || (isSearching && rows.length === 0) ? (
          <SkeletonRows count={8} badge={false} label={searches ? t.messages.searching : t.messages.loading} />
        ) : rows.length === 0 && query.isFetchNextPageError ? (
          <NextPageFailed query={query} />
        ) : rows.length === 0 ? (
          <p className="pad-4 quiet">{searches ? t.messages.none_found : t.messages.none_kept}</p>
        ) : (
          <PagedList
            keepPlace
            handle={list}
            className="messages-rows"
            label={t.messages.title}
            items={shown}
            query={older}
            rowHeight={atTextSize(phone ? 64 : 44)}
            renderItem={(message, tabIndex) => (
              <MessageRow {...{ message, tabIndex, nameOf }} onOpen={() => setOpened(message)} />
            )}
          />
        )}
        <footer ref={pageFoot} className="line wraps spread messages-foot quiet">
          <output>
            {searches
              ? t.messages.found(shown.length, query.hasNextPage)
              : pausedAt
                ? t.messages.is_paused
                : t.messages.is_live}
          </output>
          <span>{t.messages.seen_by}</span>
        </footer>
      </section>
      {opened && (
        <MessageDialog
          message={opened}
          title={<Rich text={t.messages.message_of} name={<Bdi>{nameOf(opened.from)}</Bdi>} />}
          description={addressed({ message: opened, nameOf })}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

/** How many messages the live list has that the paused one has not. It has only the newest ones. */
function newerThan(live: Pick<LoadedMessages, 'pages'> | undefined, paused: LoadedMessages | null): number {
  if (!live || !paused) return 0;
  const rows = live.pages.flatMap(({ items }) => items);
  const newest = paused.pages[0]?.items[0]?.id;
  const at = rows.findIndex(({ id }) => id === newest);
  return at < 0 ? rows.length : at;
}

/** So that the name of the chosen device is read, also before it has sent something. */
const senderOf = (from: string) => ({ from }) as Message;

function addressed({ message: { sent_at, to }, nameOf }: { message: Message; nameOf(id: string): string }): ReactNode {
  const time = formatDateTimeSeconds(sent_at);
  if (to === undefined) return t.messages.sent(time);
  return <Rich text={t.messages.sent_to(time)} name={<Bdi>{nameOf(to)}</Bdi>} />;
}

interface MessageRowProps {
  message: Message;
  tabIndex: 0 | -1;
  nameOf(id: string): string;
  onOpen(): void;
}

function MessageRow({ message, tabIndex, nameOf, onOpen }: MessageRowProps) {
  const { id, from, to, sent_at } = message;
  return (
    <button type="button" className="hoverable message-row" data-row={id} tabIndex={tabIndex} onClick={onOpen}>
      <time className="quiet numbers" dateTime={sent_at} title={sent_at}>
        {formatClockSeconds(Date.parse(sent_at))}
      </time>
      <span className="strong one-line">
        <bdi>{nameOf(from)}</bdi>
        {to !== undefined && (
          <span className="quiet">
            {' '}
            <Rich text={t.messages.to_one} name={<Bdi>{nameOf(to)}</Bdi>} />
          </span>
        )}
      </span>
      <JsonLine value={exactPayload(message)} text={textOf(message)} />
    </button>
  );
}
