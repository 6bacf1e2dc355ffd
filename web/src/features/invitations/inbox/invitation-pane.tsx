import type { ReactNode, RefObject } from 'react';
import type { InvitationItem, MachineType, Position } from '@swarmdeck/bff/contract';
import { errorParts, isGone } from '../../../api/problem.ts';
import { formatNumber, problemSentence, t } from '../../../text/text.ts';
import { Bdi } from '../../../ui/bidi.tsx';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Rich } from '../../../ui/rich.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Time } from '../../../ui/time.tsx';
import { reasonOf, useAnswerFailure } from '../answers/answers.job.tsx';
import { InvitationFacts } from '../invitation-facts.tsx';
import { deviceName } from '../device-name.ts';
import './invitation-pane.css';
import type { Inbox } from './use-inbox.ts';

/** A small map of one device, passed by the route. */
export type RenderDeviceMap = (props: { position: Position; machine_type: MachineType; name: string }) => ReactNode;

interface PaneProps {
  inbox: Inbox;
  phone: boolean;
  renderMap: RenderDeviceMap;
  map: RefObject<HTMLElement | null>;
}

/** The details of one invitation. The buttons are in the footer. */
export function InvitationPane(props: PaneProps) {
  const { inbox } = props;
  const { item, itemError, url } = inbox;
  if (item) return <Read {...props} item={item} />;
  if (url.selected === null) {
    return inbox.open.pending || inbox.history.pending ? null : <p className="pane-choose">{t.invitations.choose}</p>;
  }
  if (isGone(itemError)) {
    return <Empty icon="inbox" title={t.invitations.gone_title} text={t.invitations.gone_text} />;
  }
  if (itemError) {
    return (
      <div role="alert">
        <Empty icon="cloud-off" title={t.invitations.error_title} text={problemSentence(errorParts(itemError))}>
          <Button onClick={inbox.reloadItem}>{t.invitations.retry}</Button>
        </Empty>
      </div>
    );
  }
  return <SkeletonRows count={5} badge={false} label={t.invitations.loading} />;
}

function Read({ inbox, item, phone, renderMap, map }: PaneProps & { item: InvitationItem }) {
  const { url, place, open } = inbox;
  const failure = useAnswerFailure(item.id);
  const { device } = item;
  const at = place >= 0 && place < open.rows.length && item.status === 'new';
  return (
    <article className="pane-read" aria-labelledby="pane-title">
      <header>
        <p className="pane-place numbers">
          {at && !phone && `${t.invitations.invitation_of(formatNumber(place + 1), formatNumber(open.total))} · `}
          <Rich
            text={t.invitations.facts.sent}
            when={
              <>
                <Time at={item.sent_at} />, <Time at={item.sent_at} form="date_time" />
              </>
            }
          />
        </p>
        <h2 id="pane-title" tabIndex={-1}>
          {url.box === 'received' ? (
            <Rich text={t.invitations.invited} from={<Bdi>{item.from}</Bdi>} device={<Bdi>{deviceName(item)}</Bdi>} />
          ) : (
            <Rich text={t.invitations.you_invited} to={<Bdi>{item.to}</Bdi>} device={<Bdi>{deviceName(item)}</Bdi>} />
          )}
        </h2>
      </header>
      {failure && (
        <Note tone="bad" icon="warning">
          {t.invitations.failed[failure.answer]}. {reasonOf(failure.error)}
        </Note>
      )}
      <InvitationFacts item={item} box={url.box} />
      {url.box === 'received' && device?.position && (
        <section ref={map} className="pane-map" aria-label={t.invitations.map}>
          {renderMap({ position: device.position, machine_type: device.machine_type, name: device.name })}
        </section>
      )}
    </article>
  );
}
