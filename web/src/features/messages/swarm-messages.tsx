import { useRef, useState, type ReactNode, type RefObject } from 'react';
import type { Message } from '@swarmdeck/bff/contract';
import { isDenied } from '../../data/problem.ts';
import { exactPayload } from '../../data/exact-payload.ts';
import { liveRows } from '../../data/cache/cached-messages.ts';
import { useConnectionStatus } from '../../data/stream/connection-status.ts';
import { useUnreachable } from '../../data/unreachable.ts';
import { DeviceCombobox } from '../../shared/device-combobox.tsx';
import { formatClockSeconds, formatDateTimeSeconds } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Empty } from '../../ui/pages/empty.tsx';
import { JsonLine } from '../../ui/texts/json.tsx';
import { LoadFailed } from '../../ui/pages/load-failed.tsx';
import { NextPageFailed } from '../../ui/buttons/more-button.tsx';
import { pageFoot } from '../../ui/pages/page-foot.tsx';
import { PagedList } from '../../ui/lists/paged-list.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { useRowHeight } from '../../ui/lists/row-height.ts';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { useUrlState } from '../../ui/urls/url-state.ts';
import type { VirtualListHandle } from '../../ui/lists/list-sections.ts';
import '../../ui/pages/box.css';
import { ByUser } from './by-user.tsx';
import { noSearch, searchUrl, type MessageSearch } from './message-search.ts';
import { MessageTools } from './message-tools.tsx';
import { useDeviceNames } from './messages.api.ts';
import './messages.css';
import { MessageDialog } from './message-dialog.tsx';
import { OwnProducers } from './own-producers.tsx';
import { textOf } from './payload-text.ts';
import { useShownMessages } from './use-shown-messages.ts';

/** What is said in a swarm: new messages appear by themselves until the list is paused. A search finds older ones. */
export function SwarmMessages({ swarm_id }: { swarm_id: string }) {
  const [search, setUrl] = useUrlState(searchUrl);
  const { from } = search;
  const messages = useShownMessages(swarm_id);
  const { kind, query, rows } = messages;
  const list = useRef<VirtualListHandle>(null);
  const { names, isNamed } = useDeviceNames(swarm_id, from === '' ? rows : [...rows, senderOf(from)]);
  const nameOf = (id: string) => names[id] ?? (names[id] === null ? t.messages.former : '…');
  const shown = rows.filter(isNamed);
  const resume = () => {
    // Near its end, the list would be paused again at once.
    list.current?.scrollToTop();
    messages.resume();
    if (kind === 'found') setUrl(noSearch);
  };
  const onSearch = (change: Partial<MessageSearch>) => {
    // The list of another device is another one. A search is shown over the list, which stays paused.
    if (change.from !== undefined) messages.resume();
    setUrl(change);
  };

  if (query.isError && isDenied(query.error)) return <Denied swarm_id={swarm_id} />;
  if (query.isPending) return <SkeletonRows count={8} badge={false} label={t.messages.loading} />;
  if (!query.data) return <LoadFailed title={t.messages.error_title} query={query} />;
  // Until its rows are read, there are those of the filter before.
  const isRead = !query.isPlaceholderData && (shown.length > 0 || rows.length === 0);
  if (isRead && rows.length === 0 && from === '' && kind !== 'found') return <NoMessages swarm_id={swarm_id} />;
  return (
    <div className="column messages">
      <MessageTools
        swarm_id={swarm_id}
        search={search}
        onSearch={onSearch}
        choice={<SenderSelect from={from} shown={shown} nameOf={nameOf} onChange={(id) => onSearch({ from: id })} />}
        pause={(kind !== 'found' || messages.isPaused) && <PauseButton messages={messages} onResume={resume} />}
      />
      <section className="box column messages-box" aria-label={t.messages.title}>
        <MessageRows messages={messages} shown={shown} isRead={isRead} list={list} nameOf={nameOf} />
        <footer ref={pageFoot} className="line wraps spread messages-foot quiet">
          <output>
            {kind === 'found' && t.messages.found(shown.length, query.hasNextPage)}
            {kind === 'paused' && t.messages.is_paused}
            {kind === 'live' && <Liveness />}
          </output>
          <span>{t.messages.seen_by}</span>
        </footer>
      </section>
    </div>
  );
}

/** New messages appear by themselves, unless the stream or the server cannot be reached. */
function Liveness() {
  const { isDisconnected } = useConnectionStatus();
  const isAway = useUnreachable() !== null;
  return isDisconnected || isAway ? t.shell.not_live : t.messages.is_live;
}

function Denied({ swarm_id }: { swarm_id: string }) {
  return (
    <Empty icon="lock" title={t.messages.denied_title} text={t.messages.denied_text}>
      <OwnProducers
        swarm_id={swarm_id}
        text={t.messages.sent_by}
        pathOf={(id) => `/swarms/${swarm_id}?tab=messages&from=${id}`}
      />
    </Empty>
  );
}

function NoMessages({ swarm_id }: { swarm_id: string }) {
  return (
    <Empty icon="send" title={t.messages.empty_title} text={t.messages.empty_text}>
      <OwnProducers swarm_id={swarm_id} text={t.messages.connect} pathOf={(id) => `/devices/${id}`} />
    </Empty>
  );
}

type NameOf = (id: string) => string;

interface SenderSelectProps {
  /** The chosen device. */
  from: string;
  shown: readonly Message[];
  nameOf: NameOf;
  onChange(id: string): void;
}

/** Chooses one of the devices whose messages are shown, by name. */
function SenderSelect({ from, shown, nameOf, onChange }: SenderSelectProps) {
  const senders = [...new Set([...(from === '' ? [] : [from]), ...shown.map((row) => row.from)])]
    .map((id) => ({ id, name: nameOf(id) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <DeviceCombobox
      quiet
      label={t.messages.by_device}
      all={t.messages.all_devices}
      devices={senders}
      chosen={from}
      onChoose={onChange}
    />
  );
}

type ShownMessages = ReturnType<typeof useShownMessages>;

function PauseButton({ messages, onResume }: { messages: ShownMessages; onResume(): void }) {
  const { isPaused, arrived, pause } = messages;
  if (!isPaused)
    return (
      <Button icon="pause" onClick={pause}>
        {t.messages.pause}
      </Button>
    );
  return (
    <Button icon="forward" onClick={onResume}>
      {t.messages.resume(arrived, arrived >= liveRows)}
    </Button>
  );
}

interface MessageRowsProps {
  messages: ShownMessages;
  /** Those whose names are known. */
  shown: readonly Message[];
  isRead: boolean;
  list: RefObject<VirtualListHandle | null>;
  nameOf: NameOf;
}

/** The loading, error and empty states of a search, or the rows. */
function MessageRows({ messages, shown, isRead, list, nameOf }: MessageRowsProps) {
  const { kind, query, rows, isSearching, older } = messages;
  const [opened, setOpened] = useState<Message | null>(null);
  const rowHeight = useRowHeight({ base: 44, phone: 64 });
  if (!isRead || (isSearching && rows.length === 0)) {
    const label = t.messages[kind === 'found' ? 'searching' : 'loading'];
    return <SkeletonRows count={8} badge={false} label={label} />;
  }
  if (rows.length === 0) {
    if (query.isFetchNextPageError) return <NextPageFailed query={query} />;
    return <p className="pad-4 quiet">{t.messages[kind === 'found' ? 'none_found' : 'none_kept']}</p>;
  }
  return (
    <>
      <PagedList
        keepPlace
        handle={list}
        className="messages-rows"
        label={t.messages.title}
        items={shown}
        query={older}
        rowHeight={rowHeight}
        renderItem={(message, tabIndex) => (
          <MessageRow message={message} tabIndex={tabIndex} nameOf={nameOf} onOpen={() => setOpened(message)} />
        )}
      />
      {opened && (
        <MessageDialog
          message={opened}
          title={<Rich text={t.messages.message_of} name={<Bdi>{nameOf(opened.from)}</Bdi>} />}
          description={addressed({ message: opened, nameOf })}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** So that the name of the chosen device is read, also before it has sent something. */
const senderOf = (from: string) => ({ from }) as Message;

function addressed({ message: { sent_at, to }, nameOf }: { message: Message; nameOf: NameOf }): ReactNode {
  const time = formatDateTimeSeconds(sent_at);
  if (to === undefined) return t.messages.sent(time);
  return <Rich text={t.messages.sent_to(time)} name={<Bdi>{nameOf(to)}</Bdi>} />;
}

interface MessageRowProps {
  message: Message;
  tabIndex: 0 | -1;
  nameOf: NameOf;
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
        <Bdi>{nameOf(from)}</Bdi>
        {to !== undefined && (
          <span className="quiet">
            {' '}
            <Rich text={t.messages.to_one} name={<Bdi>{nameOf(to)}</Bdi>} />
          </span>
        )}{' '}
        <ByUser message={message} />
      </span>
      <JsonLine value={exactPayload(message)} text={textOf(message)} />
    </button>
  );
}
