import { useState, type ComponentProps, type ReactNode } from 'react';
import type { InvitationItem, Position } from '@swarmdeck/bff/contract';
import { isGone } from '../../../data/problem.ts';
import { consentLimits, hasPossibleEnd } from '../../../shared/ends/end-choices.ts';
import { Flow } from '../../../shared/flow.tsx';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { t, formatPosition } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { Note } from '../../../ui/notice.tsx';
import { PageFoot } from '../../../ui/page-foot.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Time, useNow } from '../../../ui/time.tsx';
import {
  deviceName,
  FailureReason,
  isOver,
  overReason,
  PendingAnswer,
  recipientOf,
  useAnswer,
} from '../../../shared/actions/answers.tsx';
import { receivedText, senderOf, sentText } from '../invitations.api.ts';
import { BlockUser } from './block-user.tsx';
import './invitation-pane.css';
import { inboxUrl } from './inbox-url.ts';
import { MappedDeviceProvider } from './mapped-device.ts';
import { useInboxAnswers } from './use-inbox-answers.ts';
import { useInboxFocus } from './use-inbox-focus.ts';
import { useInboxRows } from './use-inbox-rows.ts';
import { useOpenInvitation } from './use-open-invitation.ts';
import { CommandKey } from '../../../ui/keys-provider.tsx';
import './inbox-page.css';
import { lazyPart } from '../../../ui/lazy.tsx';
import { useNearestCity } from '../../../data/places/places.ts';
import { ShownByLinksField } from '../../../shared/shown-by-links.tsx';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { Link } from '../../../ui/router.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import { useFocusRestore } from '../../../ui/use-focus-after-removal.ts';
import { useUrlState } from '../../../ui/url-state.ts';
import '../invitation-facts.css';
import type { Mailbox } from '../../../data/cache/query-keys.ts';

const AcceptUntil = lazyPart(async () => (await import('./accept-until.tsx')).AcceptUntil);

interface PaneSectionProps {
  head?: ReactNode;
  body: ReactNode;
  foot: ReactNode;
}

/** The pane of the open invitation. It keeps the focus when the buttons of an answered one are removed. */
export function PaneSection({ head, body, foot }: PaneSectionProps) {
  const { pane, focusPane } = useInboxFocus();
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
  renderPlace?(item: InvitationItem): ReactNode;
  /** What `useSwipe` returns. */
  gestures?: ComponentProps<'article'>;
}

/** The details of one invitation. The buttons are in the footer. */
export function InvitationPane(props: PaneProps) {
  const [{ selected }] = useUrlState(inboxUrl);
  const { rows } = useInboxRows();
  const { item, error, reload } = useOpenInvitation();
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

function OpenInvitation({ item, deviceMap, renderPlace, gestures }: PaneProps & { item: InvitationItem }) {
  const [{ box }] = useUrlState(inboxUrl);
  const { map } = useInboxFocus();
  const { failure } = useAnswer(item.id);
  const { shownByLinks, showByLinks } = useOpenInvitation();
  const { device } = item;
  const isByOther = box === 'sent' && item.sent_by && item.sent_by !== item.from;
  return (
    <article className="stack gap-5 pane-read swipeable" aria-labelledby="pane-title" {...gestures}>
      <header>
        <p className="quiet numbers">
          {renderPlace?.(item)}
          <Rich
            text={t.invitations.facts[isByOther ? 'sent_by' : 'sent']}
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
      <InvitationFacts item={item} box={box} />
      {box === 'received' && item.status === 'new' && !item.is_request && (
        <ShownByLinksField isShown={shownByLinks === item.id} setShown={showByLinks} />
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

interface PaneFootProps {
  /** Shows the keys that do the same. */
  hasKeys: boolean;
}

/**
 * The answer buttons and the consent note stay at the bottom of the pane while the rest scrolls. Each invitation has
 * its own buttons, so that a double tap does not answer two invitations.
 */
export function PaneFoot({ hasKeys }: PaneFootProps) {
  const id = useOpenInvitation().item?.id ?? '';
  return <Answer key={id} id={id} hasKeys={hasKeys} />;
}

function Answer({ id, hasKeys: keys }: PaneFootProps & { id: string }) {
  const [{ box }] = useUrlState(inboxUrl);
  const { item } = useOpenInvitation();
  const { answer } = useInboxAnswers();
  const { pending } = useAnswer(id);
  const [isChoosing, setChoosing] = useState(false);
  const now = useNow();
  if (!item || (item.status !== 'new' && !pending)) return null;
  if (pending) {
    return (
      <PageFoot className="line wraps even-buttons pane-foot">
        <PendingAnswer pending={pending} />
      </PageFoot>
    );
  }
  const over = isOver(item, now);
  return (
    <PageFoot className="line wraps even-buttons pane-foot">
      {box === 'sent' ? (
        <Button acts onClick={() => answer('withdraw', item)}>
          {t.invitations.withdraw}
        </Button>
      ) : (
        <>
          {over ? (
            <Note tone="soft" icon="clock">
              {overReason(item)}
            </Note>
          ) : (
            <>
              <Consent>
                <Rich
                  text={
                    item.is_request
                      ? t.invitations.consent_request
                      : item.swarm.member_count
                        ? t.invitations.consent
                        : t.invitations.consent_alone
                  }
                  from={<Bdi>{item.from}</Bdi>}
                  swarm={
                    <b>
                      <Bdi>{item.swarm.name}</Bdi>
                    </b>
                  }
                />
                <Flow swarm={item.swarm} role={item.resource_type} resource_id={item.resource_id} />
                {item.ends_at !== undefined && (
                  <>
                    {' '}
                    <Rich
                      text={t.invitations.until[item.is_request ? 'asked' : 'offered']}
                      date={<EndTime at={item.ends_at} />}
                    />
                  </>
                )}
              </Consent>
              <Button look="primary" acts onClick={() => answer('accept', item)}>
                {t.invitations.accept}
                {keys && <CommandKey scope="received" id="accept" />}
              </Button>
            </>
          )}
          {!item.is_request && hasPossibleEnd(now, consentLimits(item.ends_at)) && (
            <Button acts onClick={() => setChoosing(true)}>
              {t.ends.agree_until}
            </Button>
          )}
          <Button acts onClick={() => answer('reject', item)}>
            {t.invitations.reject}
            {keys && <CommandKey scope="received" id="reject" />}
          </Button>
          {item.is_request && <BlockUser item={item} />}
          {isChoosing && (
            <AcceptUntil
              item={item}
              onAccept={(endsAt) => answer('accept', item, endsAt)}
              onClose={() => setChoosing(false)}
            />
          )}
        </>
      )}
      {keys && <PaneKeys />}
    </PageFoot>
  );
}

export function PaneKeys() {
  return (
    <span className="pane-keys quiet" aria-hidden="true">
      <span>
        <CommandKey scope="inbox" id="next" /> <CommandKey scope="inbox" id="previous" /> {t.invitations.keys_step}
      </span>
      <span>
        <CommandKey scope="inbox" id="select" /> {t.invitations.keys_select}
      </span>
    </span>
  );
}

/** Beside the Accept button: who will see which data after joining. */
export function Consent({ children }: { children: ReactNode }) {
  return (
    <div className="consent">
      <Note tone="soft" icon="eye">
        {children}
      </Note>
    </div>
  );
}

/** Sender, swarm, role, device and message of an invitation. */
function InvitationFacts({ item, box }: { item: InvitationItem; box: Mailbox }) {
  const { swarm, device, resource_type: role, label, description, status } = item;
  const isVisible = swarm.member_count !== undefined;
  const { is_request: isRequest = false } = item;
  const isOwnDevice = (box === 'received') !== isRequest;
  // Before the answer, the owner of the swarm only sees the name and the type.
  const isLink = isOwnDevice || !isRequest || status === 'accepted';
  return (
    <dl className="stack gap-3">
      <Fact name={t.invitations.facts.swarm}>
        <span className="line wraps facts-line">
          <span>
            <Rich
              text={swarm.user_id === '' ? '{swarm}' : t.invitations.by}
              swarm={
                isVisible ? (
                  <Link to={`/swarms/${swarm.id}`} className="facts-name">
                    <Bdi>{swarm.name}</Bdi>
                  </Link>
                ) : (
                  <Bdi>{swarm.name}</Bdi>
                )
              }
              owner={<Bdi>{swarm.user_id}</Bdi>}
            />
          </span>
          {swarm.public && <span className="facts-pill">{t.invitations.facts.public}</span>}
          {isVisible && (
            <span className="facts-pill numbers">{t.invitations.facts.members(swarm.member_count ?? 0)}</span>
          )}
        </span>
        {isVisible ? (
          swarm.description !== '' && <bdi className="quiet">{swarm.description}</bdi>
        ) : (
          <span className="quiet">{t.invitations.facts.no_access}</span>
        )}
      </Fact>
      <Fact name={item.is_request ? t.invitations.facts.role_asked : t.invitations.facts.role}>
        <span className="line wraps facts-line">
          <RoleChip role={role} label={t.shell.roles[role]} />
          {t.invitations.role_does[role]}
        </span>
      </Fact>
      <Fact name={isOwnDevice ? t.invitations.facts.your_device : t.invitations.facts.device}>
        {device ? (
          <span className="line wraps facts-line">
            <TypeBadge type={device.machine_type} small />
            {isLink ? (
              <Link to={`/devices/${item.resource_id}`} className="facts-name">
                <Bdi>{device.name}</Bdi>
              </Link>
            ) : (
              <span className="facts-name">
                <Bdi>{device.name}</Bdi>
              </span>
            )}
            <span className="muted numbers">
              {t.shell.machine_types[device.machine_type]}
              {!isRequest && (
                <>, {device.position ? <Place position={device.position} /> : t.invitations.facts.no_position}</>
              )}
            </span>
          </span>
        ) : box === 'received' ? (
          <i>{t.invitations.deleted_device}</i>
        ) : (
          <>
            {label !== undefined && (
              <>
                <Bdi>{t.invite_code.label.quoted(label)}</Bdi>
                <span className="quiet">{t.invite_code.label.from_code}</span>
              </>
            )}
            <code>{item.resource_id}</code>
            <span className="quiet">
              {status === 'new' ? t.invitations.facts.not_yours : t.invitations.their_device}
            </span>
          </>
        )}
      </Fact>
      {description !== undefined && description !== '' && (
        <Fact name={t.invitations.facts.message}>
          <span className="facts-message">
            <Rich text={t.invitations.facts.quote} message={<Bdi>{description}</Bdi>} />
          </span>
        </Fact>
      )}
      {status !== 'new' && (
        <Fact name={t.invitations.facts.state}>
          <Rich
            text={t.invitations.facts.on}
            state={t.invitations.done[status]}
            when={<Time at={item.changed_at} form="date_time" />}
          />
          {isOwnDevice && status === 'accepted' && device && (
            <span className="quiet">
              <Rich
                text={t.invitations.to_leave}
                device={
                  <Link to={`/devices/${item.resource_id}`}>
                    <Bdi>{device.name}</Bdi>
                  </Link>
                }
              />
            </span>
          )}
        </Fact>
      )}
    </dl>
  );
}

/** The nearest city, or the coordinates until it is known or if there is none. */
function Place({ position }: { position: Position }) {
  const city = useNearestCity(position);
  if (city === null) return <Bdi>{formatPosition(position)}</Bdi>;
  return <Rich text={city.text} city={<Bdi>{city.name}</Bdi>} />;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
