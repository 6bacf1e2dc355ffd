import { useState, type ReactNode } from 'react';
import type { SwarmList } from '@swarmdeck/bff/contract';
import { limits } from '@swarmdeck/bff/field-rules';
import { formatNumber, t } from '../../../text/text.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { lazyPart } from '../../../ui/pages/lazy.tsx';
import { TextArea } from '../../../ui/fields/field.tsx';
import { touch, useMedia } from '../../../ui/browser/media.ts';
import type { FailedQuery } from '../../../ui/pages/load-failed.tsx';
import { Note } from '../../../ui/toasts/notice.tsx';
import { Skeleton } from '../../../ui/pages/skeleton.tsx';
import { OptionalEndField } from '../../../shared/ends/optional-end.tsx';
import { CodesField } from './codes-field.tsx';
import { RoleCards } from './role-cards.tsx';
import { SwarmChoice } from './swarm-choice.tsx';
import { TypedCode } from './typed-code.tsx';
import { UnknownColumns } from './unknown-columns.tsx';
import type { Invite } from './use-invite.ts';
import { CreateSwarm } from '../create-swarm.tsx';

const ScanCodes = lazyPart(async () => (await import('./scan-codes.tsx')).ScanCodes);

interface SwarmSearch {
  /** Those that match `q`. */
  swarms: SwarmList | undefined;
  q: string;
  /** `swarms` are those of `q`. */
  isSettled: boolean;
  /** The search that could not be done. */
  failed: FailedQuery | undefined;
  onSearch(q: string): void;
}

interface InviteFormProps extends SwarmSearch {
  invite: Invite;
  children?: ReactNode;
}

/** `children` are rendered below the codes. */
export function InviteForm({ invite, children, ...search }: InviteFormProps) {
  const { codes, role, message, end } = invite;
  return (
    <div className="stack gap-5 invite-form">
      <div aria-live="polite">
        {invite.isDenied && (
          <Note tone="warn" icon="warning">
            {t.invite.denied}
          </Note>
        )}
      </div>
      <SwarmPart {...search} chosen={invite.swarm} onChoose={invite.chooseSwarm} />
      <CodesPart codes={codes} />
      <UnknownColumns columns={codes.columns.all} onUse={codes.columns.use} />
      {children}
      <RoleCards
        role={role.chosen}
        named={new Set(codes.checked.filter(({ namesRole }) => namesRole).map(({ line }) => line)).size}
        onChange={role.choose}
      />
      <TextArea
        label={t.invite.message}
        optional
        rows={2}
        placeholder={t.invite.message_placeholder}
        error={message.isTooLong ? t.invite.message_long(formatNumber(limits.descriptionLength)) : undefined}
        value={message.text}
        onChange={(event) => message.change(event.currentTarget.value)}
      />
      <OptionalEndField end={end} hint={t.ends.hints.invite} />
    </div>
  );
}

interface SwarmPartProps extends SwarmSearch {
  chosen: Invite['swarm'];
  onChoose(id: string): void;
}

/** The choice of the swarm, and the dialog that creates one. Without any swarm, only a button for it. */
function SwarmPart({ chosen, onChoose, ...search }: SwarmPartProps) {
  const { swarms, q } = search;
  /** The name of the swarm that is created. */
  const [creating, setCreating] = useState<string | null>(null);
  return (
    <>
      {!swarms && q === '' ? (
        <Skeleton width="100%" height="36px" />
      ) : swarms?.total === 0 && q === '' && !chosen ? (
        <div className="box stack starts pad-4">
          <h2>{t.invite.none_title}</h2>
          <p className="muted">{t.invite.none_text}</p>
          <Button look="primary" icon="plus" onClick={() => setCreating('')}>
            {t.swarms.list.create}
          </Button>
        </div>
      ) : (
        <SwarmChoice {...search} chosen={chosen} onChoose={onChoose} onCreate={setCreating} />
      )}
      {creating !== null && (
        <CreateSwarm
          name={creating}
          onClose={() => setCreating(null)}
          onCreated={({ id }) => {
            setCreating(null);
            onChoose(id);
          }}
        />
      )}
    </>
  );
}

/** The lines are pasted, typed one by one, or scanned. A touch screen shows their field when it is asked for. */
function CodesPart({ codes }: Pick<Invite, 'codes'>) {
  const onTouch = useMedia(touch);
  const [hasField, setHasField] = useState(!onTouch);
  const [typing, setTyping] = useState(false);
  const [scanning, setScanning] = useState(false);
  // A line that cannot be read is corrected there.
  if (!hasField && codes.counts.malformed > 0) setHasField(true);
  return (
    <>
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
    </>
  );
}
