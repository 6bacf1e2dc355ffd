import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Manager, ManagerRole, SwarmItem } from '@swarmdeck/bff/contract';
import { managerRoles, userNameRule } from '@swarmdeck/bff/field-rules';
import { useAudience } from '../../../shared/audience/audience.api.ts';
import { consentLimits, hasPossibleEnd } from '../../../shared/ends/end-choices.ts';
import { rejectedEnd } from '../../../shared/ends/end-field.tsx';
import { OptionalEndField, useOptionalEnd } from '../../../shared/ends/optional-end.tsx';
import { UntilDate } from '../../../shared/ends/until-date.tsx';
import { formatNumber, t } from '../../../text/text.ts';
import { Box } from '../../../ui/pages/box.tsx';
import { Button } from '../../../ui/buttons/button.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { TextField } from '../../../ui/fields/field.tsx';
import { FormError, ActionError } from '../../../ui/fields/form-error.tsx';
import { LoadFailed } from '../../../ui/pages/load-failed.tsx';
import { Bdi, Rich } from '../../../ui/texts/rich.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { SkeletonRows } from '../../../ui/pages/skeleton.tsx';
import { Time, useNow } from '../../../ui/texts/time.tsx';
import './managers.css';
import { ChangeWatcherEnd } from './change-watcher-end.tsx';
import { managersQuery, useManagerStep, type ManagerStep } from './managers.api.ts';

/** What is asked before it is done. */
type Question = { act: 'remove' | 'leave' | 'hand_over'; user_id: string; role: ManagerRole };

/** The managers and watchers of a swarm: its owner names and removes them, and each can step down. */
export function ManagersBox({ swarm, user_id }: { swarm: SwarmItem; user_id: string }) {
  const query = useQuery(managersQuery(swarm.id));
  const step = useManagerStep(swarm.id);
  const [question, setQuestion] = useState<Question | null>(null);
  const [ending, setEnding] = useState<Manager | null>(null);
  const isOwner = swarm.relation === 'owner';
  const managers = query.data;
  return (
    <Box title={t.managers.title} count={managers && formatNumber(managers.length)}>
      <p className="quiet box-text">{t.managers.text}</p>
      {query.isPending && <SkeletonRows count={2} badge={false} label={t.swarms.loading} />}
      {query.isError && !managers && <LoadFailed level={3} title={t.managers.error_title} query={query} />}
      {managers && managers.length > 0 && (
        <ul aria-label={t.managers.title}>
          {managers.map((manager) => (
            <ManagerRow
              key={manager.user_id}
              manager={manager}
              isOwner={isOwner}
              user_id={user_id}
              onAct={(next) => step.mutate(next)}
              onAsk={setQuestion}
              onEnd={() => setEnding(manager)}
            />
          ))}
        </ul>
      )}
      {!question && step.error && (
        <div className="box-text">
          <ActionError error={step.error} />
        </div>
      )}
      {isOwner && <AskForm swarm={swarm} />}
      {ending && (
        <ChangeWatcherEnd
          swarm_id={swarm.id}
          user_id={ending.user_id}
          ends_at={ending.ends_at}
          onClose={() => setEnding(null)}
        />
      )}
      {question && <Confirm swarm_id={swarm.id} question={question} onClose={() => setQuestion(null)} />}
    </Box>
  );
}

interface StopWatchingProps {
  swarm_id: string;
  user_id: string;
  onClose(): void;
}

/** Asks before the role of the user who watches the swarm ends, now or at a chosen time. */
export function StopWatching({ swarm_id, user_id, onClose }: StopWatchingProps) {
  const [isChoosing, setChoosing] = useState(false);
  const { data } = useAudience({ swarm_id });
  const watcher = data?.pages[0]?.items[0]?.named.find((named) => named.user_id === user_id);
  const canChoose = hasPossibleEnd(useNow(), consentLimits(watcher?.ends_at));
  if (watcher && isChoosing)
    return (
      <ChangeWatcherEnd isMine swarm_id={swarm_id} user_id={user_id} ends_at={watcher.ends_at} onClose={onClose} />
    );
  return (
    <Confirm swarm_id={swarm_id} question={{ act: 'leave', user_id, role: 'watcher' }} onClose={onClose}>
      {watcher && canChoose && (
        <Button size="small" onClick={() => setChoosing(true)}>
          {t.ends.stop_later}
        </Button>
      )}
    </Confirm>
  );
}

interface ManagerRowProps {
  manager: Manager;
  isOwner: boolean;
  user_id: string;
  onAct(step: ManagerStep): void;
  onAsk(question: Question): void;
  /** Changes when the role ends. */
  onEnd(): void;
}

function ManagerRow({ manager, isOwner, user_id, onAct, onAsk, onEnd }: ManagerRowProps) {
  const { user_id: name, role, asked_at, agreed_at, offered_at, ends_at } = manager;
  const of = t.managers.of[role];
  const [text, at] =
    agreed_at === undefined
      ? [of.asked, asked_at]
      : offered_at === undefined
        ? [of.agreed, agreed_at]
        : [t.managers.offered, offered_at];
  const button = (label: string, name_of: string, onClick: () => void): ReactNode => (
    <Button size="small" look="quiet" aria-label={name_of} onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <li className="box-row wraps managers-row">
      <div className="box-row-words">
        <h3 className="box-row-title">
          {name === user_id ? <Rich text={t.managers.you} name={<Bdi>{name}</Bdi>} /> : <Bdi>{name}</Bdi>}
        </h3>
        <p className="quiet">
          <Rich text={text} time={<Time at={at} />} />
          {ends_at !== undefined && (
            <>
              {' · '}
              <UntilDate at={ends_at} />
            </>
          )}
        </p>
        {isOwner && agreed_at === undefined && <p className="quiet">{t.managers.name_unchecked_short}</p>}
      </div>
      <div className="line wraps">
        {isOwner && role === 'watcher' && button(t.ends.change, t.ends.change_of(name), onEnd)}
        {isOwner &&
          agreed_at === undefined &&
          button(t.managers.withdraw, t.managers.withdraw_of(name), () => onAct({ act: 'remove', user_id: name }))}
        {isOwner &&
          agreed_at !== undefined &&
          role === 'manager' &&
          (offered_at === undefined
            ? button(t.managers.hand_over, t.managers.hand_over_of(name), () =>
                onAsk({ act: 'hand_over', user_id: name, role }),
              )
            : button(t.managers.end_handover, t.managers.end_handover_of(name), () => onAct({ act: 'end_handover' })))}
        {isOwner &&
          agreed_at !== undefined &&
          button(t.managers.remove, of.remove_of(name), () => onAsk({ act: 'remove', user_id: name, role }))}
        {name === user_id && button(of.leave, of.leave, () => onAsk({ act: 'leave', user_id: name, role }))}
      </div>
    </li>
  );
}

function AskForm({ swarm }: { swarm: SwarmItem }) {
  const ask = useManagerStep(swarm.id);
  const [name, setName] = useState('');
  const [role, setRole] = useState<ManagerRole>('manager');
  const [error, setError] = useState<string>();
  const end = useOptionalEnd();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const user_id = name.trim().toLowerCase();
    const found = !userNameRule.test(user_id)
      ? t.managers.name_wrong
      : user_id === swarm.user_id
        ? t.managers.name_own
        : undefined;
    setError(found);
    const until = role === 'watcher' ? end.read() : {};
    if (found !== undefined || !until) return;
    const onSuccess = () => {
      setName('');
      end.clear();
    };
    ask.mutate({ act: 'ask', user_id, role, ...until }, { onSuccess });
  };
  const rejected = rejectedEnd(ask.error);
  return (
    <form className="stack gap-3 starts pad-4" noValidate onSubmit={submit}>
      <TextField
        label={t.managers.name}
        hint={`${t.managers.name_hint} ${t.managers.name_unchecked}`}
        error={error}
        value={name}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setError(undefined);
        }}
      />
      <Segmented<ManagerRole>
        label={t.managers.role}
        value={role}
        options={managerRoles.map((each) => ({ value: each, label: t.managers.of[each].name }))}
        onChange={setRole}
      />
      {role === 'watcher' && <OptionalEndField end={end} hint={t.ends.hints.watch} rejected={rejected} />}
      <FormError error={rejected === undefined && ask.error} />
      <Button type="submit" icon="plus" sends busy={ask.isPending}>
        {t.managers.of[role].ask}
      </Button>
    </form>
  );
}

interface ConfirmProps {
  swarm_id: string;
  question: Question;
  onClose(): void;
  children?: ReactNode;
}

function Confirm({ swarm_id, question, onClose, children }: ConfirmProps) {
  const step = useManagerStep(swarm_id);
  const { act, user_id, role } = question;
  const of = t.managers.of[role];
  const name = <Bdi>{user_id}</Bdi>;
  const texts = {
    remove: [of.remove_title, of.remove_text, t.managers.remove],
    leave: [of.leave_title, t.managers.leave_text, of.leave],
    hand_over: [t.managers.hand_over_title, t.managers.hand_over_text, t.managers.hand_over_confirm],
  } as const;
  const [title, description, confirm] = texts[act];
  return (
    <ConfirmDialog
      title={<Rich text={title} name={name} />}
      description={<Rich text={description} name={name} />}
      confirm={confirm}
      isDangerous={act !== 'hand_over'}
      busy={step.isPending}
      onConfirm={() =>
        step.mutate({ act: act === 'hand_over' ? 'hand_over' : 'remove', user_id }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      {children}
      <ActionError error={step.error} />
    </ConfirmDialog>
  );
}
