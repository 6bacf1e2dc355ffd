import { useState, type ReactNode } from 'react';
import type { SwarmList } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyPart } from '../../../ui/lazy.tsx';
import { TextArea } from '../../../ui/field.tsx';
import { touch, useMedia } from '../../../ui/media.ts';
import type { FailedQuery } from '../../../ui/load-failed.tsx';
import { Note } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { OptionalEndField } from '../../../shared/ends/optional-end.tsx';
import { CodesField } from './codes-field.tsx';
import { RoleCards } from './role-cards.tsx';
import { SwarmChoice } from './swarm-choice.tsx';
import { TypedCode } from './typed-code.tsx';
import { UnknownColumns } from './unknown-columns.tsx';
import type { Invite } from './use-invite.ts';
import { CreateSwarm } from '../create-swarm.tsx';

const ScanCodes = lazyPart(async () => (await import('./scan-codes.tsx')).ScanCodes);

interface InviteFormProps {
  invite: Invite;
  /** Those that match `q`. */
  swarms: SwarmList | undefined;
  q: string;
  /** `swarms` are those of `q`. */
  isSettled: boolean;
  /** The search that could not be done. */
  failed: FailedQuery | undefined;
  onSearch(q: string): void;
  children?: ReactNode;
}

/** `children` are rendered below the codes. */
export function InviteForm({ invite, swarms, q, isSettled, failed, onSearch, children }: InviteFormProps) {
  /** The name of the swarm that is created. */
  const [creating, setCreating] = useState<string | null>(null);
  const [typing, setTyping] = useState(false);
  const [scanning, setScanning] = useState(false);
  const onTouch = useMedia(touch);
  const [hasField, setHasField] = useState(!onTouch);
  const { codes } = invite;
  // A line that cannot be read is corrected there.
  if (!hasField && codes.counts.malformed > 0) setHasField(true);
  return (
    <div className="stack gap-5 invite-form">
      <div aria-live="polite">
        {invite.isDenied && (
          <Note tone="warn" icon="warning">
            {t.invite.denied}
          </Note>
        )}
      </div>
      {!swarms && q === '' ? (
        <Skeleton width="100%" height="36px" />
      ) : swarms?.total === 0 && q === '' && !invite.swarm ? (
        <div className="box stack starts pad-4">
          <h2>{t.invite.none_title}</h2>
          <p className="muted">{t.invite.none_text}</p>
          <Button look="primary" icon="plus" onClick={() => setCreating('')}>
            {t.swarms.list.create}
          </Button>
        </div>
      ) : (
        <SwarmChoice
          swarms={swarms}
          q={q}
          isSettled={isSettled}
          failed={failed}
          onSearch={onSearch}
          chosen={invite.swarm}
          onChoose={invite.chooseSwarm}
          onCreate={setCreating}
        />
      )}
      {onTouch && (
        <Button wide icon="qr" onClick={() => setScanning(true)}>
          {t.invite.scan.action}
        </Button>
      )}
      {hasField ? (
        <CodesField codes={codes}>
          <Button look="accent" size="row" aria-expanded={typing} onClick={() => setTyping(!typing)}>
            {typing ? t.invite.paste_instead : t.invite.type_instead}
          </Button>{' '}
          {!onTouch && (
            <Button look="accent" size="row" onClick={() => setScanning(true)}>
              {t.invite.scan.action}
            </Button>
          )}
        </CodesField>
      ) : (
        <Button wide look="quiet" onClick={() => setHasField(true)}>
          {t.invite.show_field}
        </Button>
      )}
      {scanning && <ScanCodes codes={codes} onClose={() => setScanning(false)} />}
      {typing && <TypedCode onAdd={codes.edit.append} />}
      <UnknownColumns columns={codes.columns.all} onUse={codes.columns.use} />
      {children}
      <RoleCards
        role={invite.role.chosen}
        named={new Set(codes.checked.filter(({ namesRole }) => namesRole).map(({ line }) => line)).size}
        onChange={invite.role.choose}
      />
      <TextArea
        label={t.invite.message}
        optional
        rows={2}
        placeholder={t.invite.message_placeholder}
        error={invite.message.isTooLong ? t.invite.message_long(formatNumber(limits.descriptionLength)) : undefined}
        value={invite.message.text}
        onChange={(event) => invite.message.change(event.currentTarget.value)}
      />
      <OptionalEndField end={invite.end} hint={t.ends.hints.invite} />
      {creating !== null && (
        <CreateSwarm
          name={creating}
          onClose={() => setCreating(null)}
          onCreated={({ id }) => {
            setCreating(null);
            invite.chooseSwarm(id);
          }}
        />
      )}
    </div>
  );
}
