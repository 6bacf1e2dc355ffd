import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import type { ActionOf, JoinOffer } from '@swarmdeck/bff/contract';
import { useActionRequests, useShowsActions } from '../../../data/actions/actions.ts';
import { useActions } from '../../../data/actions/shown-actions.ts';
import { userOf } from '../../../data/of-client.ts';
import { useGone } from '../../../data/use-gone.ts';
import { resultSentence } from '../../../shared/actions/action-labels.tsx';
import { ActionProgress } from '../../../shared/actions/action-progress.tsx';
import { FailedItems } from '../../../shared/actions/failed-items.tsx';
import type { ChosenEnd } from '../../../shared/ends/end-choices.ts';
import { noEnd, OptionalEndField, useOptionalEnd } from '../../../shared/ends/optional-end.tsx';
import { ShownByLinksField, useShownByLinks } from '../../../shared/shown-by-links.tsx';
import { ConsentLines } from '../../../shared/consent-lines.tsx';
import { Flow } from '../../../shared/flow.tsx';
import { EndTime } from '../../../shared/ends/until-date.tsx';
import { t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button, ButtonLink } from '../../../ui/buttons/button.tsx';
import { Tag } from '../../../ui/symbols/chip.tsx';
import { Empty } from '../../../ui/pages/empty.tsx';
import { touch, useMedia } from '../../../ui/browser/media.ts';
import { Note } from '../../../ui/toasts/notice.tsx';
import { PageFoot } from '../../../ui/pages/page-foot.tsx';
import { HeadName, JumpButton, PageHead } from '../../../ui/pages/page-head.tsx';
import { usePageTitle } from '../../../ui/pages/page-title.ts';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { usePersistedDraft } from '../../../ui/fields/persisted-draft.ts';
import { RoleChip } from '../../../ui/symbols/role-chip.tsx';
import { Link } from '../../../ui/urls/router.tsx';
import { RecordLoading } from '../../../ui/pages/record-loading.tsx';
import { useEventListener } from '../../../ui/browser/use-event-listener.ts';
import { useOwnLocation } from '../../../ui/browser/use-own-location.ts';
import { offerQuery } from '../links/links.api.ts';
import { DeviceChoice, useDeviceChoice } from '../members/device-choice.tsx';
import { AddingDeviceProvider, useAddDeviceDialog, type ThisPhone } from '../requests/adding-device.ts';
import { requestsQuery } from '../requests/requests.api.ts';
import { backToSwarms } from '../swarm-head.tsx';
import '../swarm-page.css';
import './join-page.css';

interface JoinPageProps {
  code: string;
  user_id: string;
}

/** The page of a link to join a swarm: what the swarm is, who sees what, and with which devices. */
export function JoinPage({ code, user_id }: JoinPageProps) {
  const query = useQuery(offerQuery(code));
  const isGone = useGone(code, query);
  const offer = query.data;
  const last = useActions().findLast(
    (each): each is ActionOf<'join'> => each.kind === 'join' && each.about.link === offer?.id,
  );
  const action = useCurrentResult(last);
  useShowsActions('join');
  const { dismiss } = useActionRequests();
  const next = () => {
    if (last?.state === 'ended') void dismiss(last.id);
  };
  // A result that was read is not shown at the next visit.
  const leave = useEffectEvent(next);
  useEffect(() => () => leave(), []);
  useEventListener(globalThis, 'pagehide', next);
  usePageTitle(t.links.join.title);

  // The last one to join keeps the result.
  if (offer && (action || !isGone)) {
    if (offer.swarm.user_id === user_id) return <OwnSwarm id={offer.swarm.id} />;
    return <Offer code={code} offer={offer} isGone={isGone} action={action} onNext={next} />;
  }
  return (
    <div className="page">
      <RecordLoading
        query={query}
        head={{ back: backToSwarms() }}
        texts={{ loading: t.links.join.loading, failed: t.links.join.error_title }}
        rows={{ count: 4, badge: false }}
        gone={
          isGone && (
            <Empty level={1} icon="warning" title={t.links.join.gone_title} text={t.links.join.gone_text}>
              <ButtonLink to="/">{t.links.join.to_devices}</ButtonLink>
            </Empty>
          )
        }
      />
    </div>
  );
}

/** The action, unless it ended without failures before the page was opened: the devices may have left the swarm since. */
function useCurrentResult(action: ActionOf<'join'> | undefined): ActionOf<'join'> | undefined {
  const [running, setRunning] = useState<string>();
  const isEnded = action?.state === 'ended';
  if (action && !isEnded && action.id !== running) setRunning(action.id);
  return isEnded && action.failed === 0 && action.id !== running ? undefined : action;
}

function OwnSwarm({ id }: { id: string }) {
  return (
    <div className="page">
      <PageHead back={backToSwarms()} />
      <Empty level={1} icon="swarm" title={t.links.join.own_title} text={t.links.join.own_text}>
        <ButtonLink to={`/swarms/${id}?tab=links`}>{t.links.join.to_swarm}</ButtonLink>
      </Empty>
    </div>
  );
}

/** Kept over a reload: without it, the devices would join without an end. A type, not an interface, because a draft is a record. */
type ChosenDraft = Pick<ChosenEnd, keyof ChosenEnd>;

interface OfferProps {
  code: string;
  offer: JoinOffer;
  /** Nobody can join by the link any more: only the result is left, and what is known of the swarm no longer changes. */
  isGone: boolean;
  action: ActionOf<'join'> | undefined;
  onNext(): void;
}

function Offer({ code, offer, isGone, action, onNext }: OfferProps) {
  const { id: link, pass, resource_type, swarm } = offer;
  const { start } = useActionRequests();
  const choice = useDeviceChoice(swarm.id);
  const { count } = choice.checked;
  const [chosen, setChosen, noteSent] = usePersistedDraft<ChosenDraft>(
    `join:${userOf(useQueryClient())}:${link}`,
    noEnd,
  );
  const end = useOptionalEnd([chosen, setChosen]);
  const shown = useShownByLinks();
  const join = () => {
    const until = end.read();
    if (!until) return;
    const about = { link, pass, swarm: { id: swarm.id, name: swarm.name }, ...until, ...shown.terms };
    void start({ kind: 'join', about, ...choice.items() }, crypto.randomUUID(), () => noteSent(chosen));
  };
  // What was not sent is still selected.
  const next = () => {
    choice.check.clear();
    onNext();
  };
  return (
    <div className="page">
      <PageHead back={backToSwarms()}>
        <div className="fill">
          <HeadName text={swarm.name} />
          <p className="quiet">
            <Rich text={t.swarms.by} owner={<Bdi>{swarm.user_id}</Bdi>} />
          </p>
        </div>
        {swarm.public && <Tag>{t.swarms.public}</Tag>}
        <JumpButton />
      </PageHead>
      <div className="page-scroll">
        <div className="swarm-body stack gap-4 join-body">
          <p className={swarm.description === '' ? 'quiet' : 'join-text'}>
            {swarm.description === '' ? t.swarms.page.no_description : <Bdi>{swarm.description}</Bdi>}
          </p>
          <p className="line wraps numbers">
            {!isGone && t.swarms.member_count(swarm.member_count)}
            <RoleChip role={resource_type} label={t.shell.roles[resource_type]} />
          </p>
          <OpenRequests offer={offer} />
          {action && <Result action={action} onNext={isGone ? undefined : next} />}
          {!isGone && (
            <Note tone="soft" icon="eye">
              <p>{t.links.join.role(t.roles_in_sentences[resource_type])}</p>
              <ConsentLines text={t.links.join.consent(swarm.member_count)}>
                <Flow swarm={swarm} role={resource_type} code={code} />
              </ConsentLines>
            </Note>
          )}
          {!action && (
            <JoinDevices offer={offer} choice={choice}>
              <OptionalEndField end={end} hint={t.ends.hints.join} />
              <ShownByLinksField devices={count} {...shown} />
            </JoinDevices>
          )}
        </div>
      </div>
      {!action && (
        <PageFoot className="line even-buttons">
          <Button look="primary" sends disabled={count === 0} focusableWhenDisabled onClick={join}>
            {t.links.join.submit(count)}
          </Button>
        </PageFoot>
      )}
    </div>
  );
}

/** The user's open requests for a role that the link does not give: they stay open, also after joining. */
function OpenRequests({ offer: { swarm, resource_type } }: { offer: JoinOffer }) {
  const { data } = useQuery(requestsQuery({ swarm_id: swarm.id, box: 'sent' }));
  if (resource_type === 'both') return null;
  return data?.items
    .filter((request) => request.resource_type !== resource_type)
    .map(({ id, resource_type: asked, device }) => (
      <Note key={id} tone="soft" icon="info">
        <Rich
          text={t.links.join.asked[asked]}
          device={
            <Link to={`/invitations?${new URLSearchParams({ tab: 'sent', sel: id }).toString()}`}>
              <Bdi>{device?.name}</Bdi>
            </Link>
          }
        />
      </Note>
    ));
}

interface JoinDevicesProps {
  offer: JoinOffer;
  choice: ReturnType<typeof useDeviceChoice>;
  /** On which terms they join. */
  children: ReactNode;
}

/** The devices that join: some of the user's own, or a new one, which may be the phone that shows the page. */
function JoinDevices({ offer: { resource_type, resources_left }, choice, children }: JoinDevicesProps) {
  const addDeviceDialog = useAddDeviceDialog().dialog;
  const [adding, setAdding] = useState<{ thisPhone?: ThisPhone } | null>(null);
  // It can join without a position.
  const own = useOwnLocation((at) => setAdding({ thisPhone: { at } }), {
    onFailed: (failed) => setAdding({ thisPhone: { failed } }),
  });
  const onTouch = useMedia(touch);
  const { count } = choice.checked;
  const isShort = resources_left !== undefined && count > resources_left;
  return (
    <>
      <section className="stack gap-3 join-devices" aria-label={t.links.join.devices}>
        <div className="line wraps spread join-devices-head">
          <h2>{t.links.join.devices}</h2>
          <div className="line wraps">
            {onTouch && (
              <Button icon="locate" busy={own.isLocating} onClick={own.locate}>
                {t.links.join.phone}
              </Button>
            )}
            <Button
              icon="plus"
              onClick={() => {
                own.stop();
                setAdding({});
              }}
            >
              {t.links.join.add}
            </Button>
          </div>
        </div>
        <DeviceChoice choice={choice} none={t.links.join.none} role={resource_type} />
        {resources_left !== undefined && resources_left < Math.max(count, choice.devices.available) && (
          <Note tone={isShort ? 'warn' : 'plain'} icon="info">
            {(isShort ? t.links.join.too_many : t.links.join.left)(resources_left)}
          </Note>
        )}
        {children}
      </section>
      {adding && (
        <AddingDeviceProvider
          thisPhone={adding.thisPhone}
          onClose={() => setAdding(null)}
          onAdded={(device) => {
            setAdding(null);
            choice.add(device);
          }}
        >
          {addDeviceDialog}
        </AddingDeviceProvider>
      )}
    </>
  );
}

function Result({ action, onNext }: { action: ActionOf<'join'>; onNext: (() => void) | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const { state, done, failed, total, about, results } = action;
  const joined = done - failed;
  if (state !== 'ended') {
    return (
      <Box title={t.links.join.result}>
        <div className="stack gap-3 join-result">
          <ActionProgress action={action} />
        </div>
      </Box>
    );
  }
  const { ends_at } = about;
  return (
    <Box title={joined > 0 ? t.links.join.done_title(joined) : t.links.join.none_joined}>
      <div className="stack gap-3 join-result" aria-live="polite">
        {failed > 0 && (
          <Note tone="bad" icon="warning">
            {t.links.kind.failed(failed)}. {total === 1 && resultSentence('join', results?.[0])}{' '}
            {total > 1 && (
              <Button size="row" onClick={() => setOpen(true)}>
                {t.bulk.show_failed}
              </Button>
            )}
          </Note>
        )}
        {joined > 0 && ends_at !== undefined && (
          <p>
            <Rich text={t.links.join.until} date={<EndTime at={ends_at} />} />
          </p>
        )}
        <div className="line wraps">
          {joined > 0 && (
            <ButtonLink look="primary" to={`/swarms/${about.swarm.id}`}>
              {t.links.join.to_swarm}
            </ButtonLink>
          )}
          {onNext && <Button onClick={onNext}>{t.links.join.more}</Button>}
        </div>
      </div>
      {isOpen && <FailedItems action={action} onClose={() => setOpen(false)} />}
    </Box>
  );
}
