import type { ComponentProps, ReactNode } from 'react';
import type { InvitationItem } from '@swarmdeck/bff/contract';
import { isGone } from '../../../data/problem.ts';
import { deviceName, FailureReason, recipientOf, useAnswer } from '../../../shared/actions/answers.tsx';
import { ShownByLinksField } from '../../../shared/shown-by-links.tsx';
import { t } from '../../../text/text.ts';
import { Empty } from '../../../ui/pages/empty.tsx';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { Time, useIsPast } from '../../../ui/texts/time.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { useFocusRestore } from '../../../ui/browser/use-focus-restore.ts';
import { receivedText, senderOf, sentText, stateText } from '../invitations.api.ts';
import { inboxUrl } from './inbox-url.ts';
import { InvitationFacts } from './invitation-facts.tsx';
import './invitation-pane.css';
import './inbox-page.css';
import { MappedDeviceProvider } from './mapped-device.ts';
import { useInbox } from './inbox-state.ts';

interface PaneSectionProps {
  head?: ReactNode;
  body: ReactNode;
  foot: ReactNode;
}

/** The pane of the open invitation. It keeps the focus when the buttons of an answered one are removed. */
export function PaneSection({ head, body, foot }: PaneSectionProps) {
  const { pane, focusPane } = useInbox('focus');
  const focusRestore = useFocusRestore(focusPane);
  return (
    <section ref={pane} className="fill pane" aria-label={t.invitations.one} {...focusRestore}>
      {head}
      <div className="pane-body">{body}</div>
      {foot}
    </section>
  );
}

interface PaneProps {
  /** The small map of the device. */
  deviceMap: ReactNode;
  /** Before the date: which of the invitations it is. */
  place?: ReactNode;
  /** What `useSwipe` returns. */
  gestures?: ComponentProps<'article'>;
}

/** The details of one invitation. The buttons are in the footer. */
export function InvitationPane(props: PaneProps) {
  const [{ selected }] = useUrlState(inboxUrl);
  const { rows } = useInbox('rows');
  const { item, error, reload } = useInbox('open');
  if (item) return <OpenInvitation {...props} item={item} />;
  if (selected === null) {
    return rows.length === 0 ? null : <p className="pane-choose">{t.invitations.choose}</p>;
  }
  if (isGone(error)) {
    return <Empty icon="inbox" title={t.invitations.not_found_title} text={t.invitations.not_found_text} />;
  }
  if (error) {
    return <LoadFailed title={t.invitations.error_title} query={{ error, refetch: reload }} />;
  }
  return <SkeletonRows count={5} badge={false} label={t.invitations.loading} />;
}

function OpenInvitation({ item, deviceMap, place, gestures }: PaneProps & { item: InvitationItem }) {
  const [{ box }] = useUrlState(inboxUrl);
  const { map } = useInbox('focus');
  const { isNamesake } = useInbox('rows');
  const { failure } = useAnswer(item.id);
  const { device } = item;
  const isByOther = box === 'sent' && item.sent_by && item.sent_by !== item.from;
  return (
    <article className="stack gap-5 pane-read swipeable" aria-labelledby="pane-title" {...gestures}>
      <header>
        <p className="quiet numbers">
          {place}
          <Rich
            text={t.invitations.facts[item.joined_by ? 'on' : isByOther ? 'sent_by' : 'sent']}
            state={stateText(item)}
            by={<Bdi>{item.sent_by}</Bdi>}
            when={
              <>
                <Time at={item.sent_at} />, <Time at={item.sent_at} form="date_time" />
              </>
            }
          />
        </p>
        <h2 id="pane-title" tabIndex={-1}>
          {box === 'received' ? (
            <Rich text={receivedText(item)} from={<Bdi>{senderOf(item)}</Bdi>} device={<Bdi>{deviceName(item)}</Bdi>} />
          ) : (
            <Rich text={sentText(item)} to={<Bdi>{recipientOf(item)}</Bdi>} device={<Bdi>{deviceName(item)}</Bdi>} />
          )}
        </h2>
      </header>
      {failure && (
        <Note tone="bad" icon="warning">
          <FailureReason item={item} box={box} failure={failure} />
        </Note>
      )}
      <InvitationFacts item={item} box={box} isNamesake={isNamesake(item)} />
      {box === 'received' && item.status === 'new' && !item.is_request && !item.is_later_end && (
        <LinksConsent item={item} />
      )}
      {box === 'received' && device?.position && (
        <section
          ref={map}
          className="pane-map"
          aria-label={t.invitations.map}
          // A finger moves the map.
          onPointerDown={(event) => event.stopPropagation()}
        >
          <MappedDeviceProvider position={device.position} machine_type={device.machine_type} name={device.name}>
            {deviceMap}
          </MappedDeviceProvider>
        </section>
      )}
    </article>
  );
}

/** Goes along with Accept, so that it cannot be changed afterwards. */
function LinksConsent({ item }: { item: InvitationItem }) {
  const { shownByLinks, showByLinks } = useInbox('open');
  const { pending } = useAnswer(item.id);
  const isTooLate = useIsPast(item.ends_at);
  return (
    <ShownByLinksField
      devices={1}
      isShown={shownByLinks === item.id}
      setShown={showByLinks}
      disabled={pending !== undefined || isTooLate}
    />
  );
}
