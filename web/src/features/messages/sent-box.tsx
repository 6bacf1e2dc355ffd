import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Message, Resource, Swarm } from '@swarmdeck/bff/contract';
import { exactPayload } from '../../data/exact-payload.ts';
import { isLive } from '../../data/stream/connection-status.ts';
import { mostSent, readableSwarms, sentQuery } from '../../data/cache/sent-messages.ts';
import { formatDateTimeSeconds } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { JsonLine } from '../../ui/texts/json.tsx';
import { LoadFailedNote } from '../../ui/pages/load-failed.tsx';
import { Bdi, Rich } from '../../ui/texts/rich.tsx';
import { SkeletonRows } from '../../ui/pages/skeleton.tsx';
import { Time } from '../../ui/texts/time.tsx';
import '../../ui/lists/table.css';
import './messages.css';
import { ByUser } from './by-user.tsx';
import { FoundSent } from './found-sent.tsx';
import { matchingNames } from '../../data/matching-names.ts';
import { SwarmCombobox } from '../../shared/swarm-combobox.tsx';
import { MessageDialog } from './message-dialog.tsx';
import { isSearch, noSearch, type MessageSearch } from './message-search.ts';
import { MessageTools } from './message-tools.tsx';
import { MessagesBySwarm, roleIn } from './messages-by-swarm.tsx';
import { distinctMessages, payloadRows, type PayloadRow } from './payload-rows.ts';
import { textOf } from './payload-text.ts';
import { SendMessage } from './send-message.tsx';

/** In ms, without the stream, and of swarms whose messages only others may read. */
const interval = 20_000;
/** How many keys of a payload are shown. All of them are in the dialog. */
const mostKeys = 12;
const shownMessages = 5;

interface SentBoxProps {
  device: Resource;
  swarms: Swarm[];
  sends: boolean;
  receives: boolean;
}

/** What the user's own device has sent: the last payload, then the newest messages. */
export function SentBox({ device, swarms, sends, receives }: SentBoxProps) {
  const isWatched = readableSwarms(device, swarms).length === swarms.length;
  const query = useQuery(sentQuery(device.id, () => (isWatched && isLive() ? false : interval)));
  const [isSending, setSending] = useState(false);
  const [opened, setOpened] = useState<Message | null>(null);
  const sent = query.data;
  return (
    <Box
      title={t.messages.title}
      action={
        sends && (
          <Button size="small" icon="send" onClick={() => setSending(true)}>
            {t.messages.send}
          </Button>
        )
      }
    >
      {query.isPending && <SkeletonRows count={2} badge={false} label={t.messages.loading} />}
      {query.isError && !sent && <LoadFailedNote className="box-row" title={t.messages.failed} query={query} />}
      {sent?.length === 0 && (
        <p className="box-row quiet">
          {sends ? t.messages.none_sent : receives ? t.messages.only_receives : t.messages.no_producer}
        </p>
      )}
      {sent && sent.length > 0 && <SentMessages device={device} swarms={swarms} sent={sent} onOpen={setOpened} />}
      <MessagesBySwarm device={device} swarms={swarms} />
      {isSending && <SendMessage device={device} swarms={swarms} onClose={() => setSending(false)} />}
      {opened && (
        <MessageDialog
          message={opened}
          title={t.messages.message}
          description={
            opened.to === undefined
              ? t.messages.sent(formatDateTimeSeconds(opened.sent_at))
              : t.messages.sent_to_one(formatDateTimeSeconds(opened.sent_at))
          }
          onClose={() => setOpened(null)}
        />
      )}
    </Box>
  );
}

interface SentMessagesProps extends Pick<SentBoxProps, 'device' | 'swarms'> {
  sent: readonly Message[];
  onOpen(message: Message): void;
}

/** The messages of one swarm or of all. Those of one swarm are searched and exported, because messages are read by swarm. */
function SentMessages({ device, swarms, sent, onOpen }: SentMessagesProps) {
  const [search, setSearch] = useState<MessageSearch>({ ...noSearch, from: device.id });
  const [chosen, choose] = useState('');
  const sendsTo = swarms.filter((swarm) => roleIn(swarm, device) !== 'consumer');
  const swarm = sendsTo.length === 1 ? sendsTo[0] : sendsTo.find(({ id }) => id === chosen);
  const only = sendsTo.length > 1 ? swarm?.id : undefined;
  return (
    <>
      {sendsTo.length > 0 && (
        <div className="stack gap-3 sent-tools">
          {sendsTo.length > 1 && <SwarmChoice swarms={sendsTo} chosen={swarm} onChoose={choose} />}
          {swarm && (
            <MessageTools
              swarm_id={swarm.id}
              search={search}
              choice={null}
              onSearch={(change) => setSearch({ ...search, ...change })}
            />
          )}
        </div>
      )}
      {swarm && isSearch(search) ? (
        <FoundSent swarm_id={swarm.id} search={search} onOpen={onOpen} />
      ) : (
        <NewestSent sent={sent} only={only} onOpen={onOpen} isSearched={swarm !== undefined} />
      )}
    </>
  );
}

interface NewestSentProps extends Pick<SentMessagesProps, 'sent' | 'onOpen'> {
  /** Only those of this swarm. */
  only: string | undefined;
  /** There is a search above. */
  isSearched: boolean;
}

function NewestSent({ sent, only, isSearched, onOpen }: NewestSentProps) {
  const [showsAll, setShowsAll] = useState(false);
  const messages = useMemo(
    () => distinctMessages(sent.filter(({ swarm_id }) => only === undefined || swarm_id === only)),
    [sent, only],
  );
  const [newest] = messages;
  /** There may be older ones. */
  const isFull = sent.length === mostSent;
  if (!newest)
    return (
      <p className="box-row quiet">
        {t.messages.none_found} {isFull && <OnlyNewest sent={sent} isSearched />}
      </p>
    );
  const hasMore = messages.length > shownMessages && !showsAll;
  return (
    <>
      <p className="box-text quiet">
        <Rich text={t.messages.last} age={<Time at={newest.sent_at} />} />
      </p>
      <Payload rows={payloadRows(newest)} text={textOf(newest)} onAll={() => onOpen(newest)} />
      <h3 className="box-part section-name">{t.messages.newest}</h3>
      <ul>
        {messages.slice(0, showsAll ? undefined : shownMessages).map((message) => (
          <li key={message.message_id}>
            <button type="button" className="line gap-3 hoverable sent-row" onClick={() => onOpen(message)}>
              <span className="quiet sent-age">
                <Time at={message.sent_at} form="age" />
              </span>
              <ByUser message={message} />
              <JsonLine value={exactPayload(message)} text={textOf(message)} />
            </button>
          </li>
        ))}
      </ul>
      {hasMore && (
        <div className="box-row">
          <Button look="accent" size="row" onClick={() => setShowsAll(true)}>
            {t.messages.show_all(messages.length)}
          </Button>
        </div>
      )}
      {isFull && !hasMore && (
        <p className="box-row quiet">
          <OnlyNewest sent={sent} isSearched={isSearched} />
        </p>
      )}
    </>
  );
}

/** How many of the newest were read: a message to several swarms was read for each. */
function OnlyNewest({ sent, isSearched }: { sent: readonly Message[]; isSearched: boolean }) {
  const { only_newest, older_found, older_in_swarms } = t.messages;
  return `${only_newest(distinctMessages(sent).length)} ${isSearched ? older_found : older_in_swarms}`;
}

/** `text`: what is shown of a payload that is not JSON. */
function Payload({ rows, text, onAll }: { rows: PayloadRow[]; text: string | undefined; onAll(): void }) {
  return (
    <>
      <table className="table payload" aria-label={t.messages.payload}>
        <colgroup>
          <col className="payload-keys" />
          <col />
        </colgroup>
        <tbody>
          {rows.slice(0, mostKeys).map(({ key, value }) => (
            <tr key={key ?? ''}>
              <th scope="row">
                <Bdi className="one-line">{key ?? t.messages.value}</Bdi>
              </th>
              <td>
                <JsonLine value={value} text={text} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="box-row quiet">{t.messages.empty_payload}</p>}
      {rows.length > mostKeys && (
        <div className="box-row">
          <Button look="accent" size="row" onClick={onAll}>
            {t.messages.more_keys(rows.length - mostKeys)}
          </Button>
        </div>
      )}
    </>
  );
}

interface SwarmChoiceProps {
  swarms: readonly Swarm[];
  chosen: Swarm | undefined;
  onChoose(id: string): void;
}

/** Chooses the swarm of the messages. */
function SwarmChoice({ swarms, chosen, onChoose }: SwarmChoiceProps) {
  const [q, setQ] = useState('');
  const all = { id: '', name: t.messages.all_swarms };
  return (
    <SwarmCombobox
      label={t.messages.swarm}
      chosen={chosen ?? all}
      swarms={q === '' ? [all, ...swarms] : matchingNames(swarms, q)}
      q={q}
      isSettled
      onSearch={setQ}
      onChoose={onChoose}
    />
  );
}
