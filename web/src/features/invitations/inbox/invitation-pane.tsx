import type { ReactNode, RefObject } from 'react';
import type { InvitationItem, MachineType, Position } from '@swarmdeck/bff/contract';
import { isGone } from '../../../data/problem.ts';
import { Flow } from '../../../shared/flow.tsx';
import { formatNumber, t, formatPosition } from '../../../text/text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/empty.tsx';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Bdi, Rich } from '../../../ui/rich.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useSwipe, type Swipe } from '../../../ui/swipe.ts';
import { Time } from '../../../ui/time.tsx';
import { deviceName, FailureReason, PendingAnswer, recipientOf, useAnswer } from '../../../shared/actions/answers.tsx';
import { receivedText, sentText } from '../invitations.api.ts';
import { BlockUser } from './block-user.tsx';
import './invitation-pane.css';
import type { Inbox } from './use-inbox.ts';
import { KeyHint, useKeysEnabled } from '../../../ui/keys-provider.tsx';
import './inbox-page.css';
import { JumpButton } from '../../../ui/page-head.tsx';
import { useNearestCity } from '../../../data/places/places.ts';
import { RoleChip } from '../../../ui/role-chip.tsx';
import { Link } from '../../../ui/router.tsx';
import { TypeBadge } from '../../../ui/type-badge.tsx';
import '../invitation-facts.css';
import type { Mailbox } from '../../../data/cache/query-keys.ts';

/** A small map of one device, passed by the route. */
export type RenderDeviceMap = (props: { position: Position; machine_type: MachineType; name: string }) => ReactNode;

interface PaneProps {
  inbox: Pick<Inbox, 'item' | 'itemError' | 'reloadItem' | 'url' | 'rows' | 'place' | 'open' | 'step'>;
  phone: boolean;
  renderMap: RenderDeviceMap;
  map: RefObject<HTMLElement | null>;
}

/** The details of one invitation. The buttons are in the footer. */
export function InvitationPane(props: PaneProps) {
  const { inbox } = props;
  const { item, itemError, url } = inbox;
  if (item) return <OpenInvitation {...props} item={item} />;
  if (url.selected === null) {
    return inbox.rows.length === 0 ? null : <p className="pane-choose">{t.invitations.choose}</p>;
  }
  if (isGone(itemError)) {
    return <Empty icon="inbox" title={t.invitations.not_found_title} text={t.invitations.not_found_text} />;
  }
  if (itemError) {
    return <LoadFailed title={t.invitations.error_title} query={{ error: itemError, refetch: inbox.reloadItem }} />;
  }
  return <SkeletonRows count={5} badge={false} label={t.invitations.loading} />;
}

function OpenInvitation({ inbox, item, phone, renderMap, map }: PaneProps & { item: InvitationItem }) {
  const { url, place, open } = inbox;
  const { failure } = useAnswer(item.id);
  const { device } = item;
  const at = place >= 0 && place < open.rows.length && item.status === 'new';
  const step = (label: string, by: 1 | -1): Swipe => ({ label, look: 'plain', act: () => inbox.step(by) });
  const { gestures } = useSwipe({
    left: phone && hasNext(inbox) ? step(t.invitations.next, 1) : undefined,
    right: phone && place > 0 ? step(t.invitations.previous, -1) : undefined,
  });
  return (
    <article className="stack gap-5 pane-read swipeable" aria-labelledby="pane-title" {...gestures}>
      <header>
        <p className="quiet numbers">
          {at && !phone && `${t.invitations.place(formatNumber(place + 1), formatNumber(open.total))} · `}
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
            <Rich text={receivedText(item)} from={<Bdi>{item.from}</Bdi>} device={<Bdi>{deviceName(item)}</Bdi>} />
          ) : (
            <Rich text={sentText(item)} to={<Bdi>{recipientOf(item)}</Bdi>} device={<Bdi>{deviceName(item)}</Bdi>} />
          )}
        </h2>
      </header>
      {failure && (
        <Note tone="bad" icon="warning">
          <FailureReason item={item} box={url.box} failure={failure} />
        </Note>
      )}
      <InvitationFacts item={item} box={url.box} />
      {url.box === 'received' && device?.position && (
        <section
          ref={map}
          className="pane-map"
          aria-label={t.invitations.map}
          // A finger moves the map.
          onPointerDown={(event) => event.stopPropagation()}
        >
          {renderMap({ position: device.position, machine_type: device.machine_type, name: device.name })}
        </section>
      )}
    </article>
  );
}

interface PaneFootProps {
  inbox: Pick<Inbox, 'item' | 'url' | 'answer'>;
  phone: boolean;
}

/**
 * The answer buttons and the consent note stay at the bottom of the pane while the rest scrolls. Each invitation has
 * its own buttons, so that a double tap does not answer two invitations.
 */
export function PaneFoot(props: PaneFootProps) {
  const id = props.inbox.item?.id ?? '';
  return <Answer key={id} id={id} {...props} />;
}

function Answer({ id, inbox, phone }: PaneFootProps & { id: string }) {
  const { item, url } = inbox;
  const { pending } = useAnswer(id);
  const keys = useKeysEnabled() && !phone;
  if (!item || (item.status !== 'new' && !pending)) return null;
  if (pending) {
    return (
      <footer className="line wraps page-foot even-buttons pane-foot">
        <PendingAnswer pending={pending} />
      </footer>
    );
  }
  return (
    <footer className="line wraps page-foot even-buttons pane-foot">
      {url.box === 'sent' ? (
        <Button acts onClick={() => inbox.answer('withdraw', item)}>
          {t.invitations.withdraw}
        </Button>
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
          </Consent>
          <Button look="primary" acts onClick={() => inbox.answer('accept', item)}>
            {t.invitations.accept}
            {keys && <KeyHint keys="A" />}
          </Button>
          <Button acts onClick={() => inbox.answer('reject', item)}>
            {t.invitations.reject}
            {keys && <KeyHint keys="R" />}
          </Button>
          {item.is_request && <BlockUser item={item} />}
        </>
      )}
      {keys && <PaneKeys />}
    </footer>
  );
}

export function PaneKeys() {
  return (
    <span className="pane-keys quiet" aria-hidden="true">
      <span>
        <KeyHint keys="J" /> <KeyHint keys="K" /> {t.invitations.keys_step}
      </span>
      <span>
        <KeyHint keys="X" /> {t.invitations.keys_select}
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

const hasNext = ({ place, rows }: Pick<Inbox, 'place' | 'rows'>) => place >= 0 && place + 1 < rows.length;

interface PhoneHeadProps {
  inbox: Pick<Inbox, 'item' | 'setUrl' | 'place' | 'rows' | 'open' | 'history' | 'step'>;
}

/** On a phone: links to the list and to the next invitation. */
export function PhoneHead({ inbox }: PhoneHeadProps) {
  const { setUrl, place, open, history } = inbox;
  // Open invitations and history are numbered separately, as in the list.
  const [at, total] = place < open.rows.length ? [place, open.total] : [place - open.rows.length, history.total];
  return (
    <header className="line gap-1 phone-head">
      <IconButton icon="back" look="quiet" label={t.invitations.back} onClick={() => setUrl({ selected: null })} />
      <h1 className="grow">{inbox.item?.is_request ? t.invitations.one_request : t.invitations.one}</h1>
      {place >= 0 && (
        <span className="quiet numbers">{t.invitations.place(formatNumber(at + 1), formatNumber(total))}</span>
      )}
      <IconButton
        icon="forward"
        look="quiet"
        label={t.invitations.next}
        disabled={!hasNext(inbox)}
        onClick={() => inbox.step(1)}
      />
      <JumpButton />
    </header>
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
