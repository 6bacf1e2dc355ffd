import { touch as touchQuery, useMedia } from '../../ui/browser/media.ts';
import { useId, useState } from 'react';
import { machineTypes, memberRoles } from '@swarmdeck/bff/field-rules';
import { t } from '../../text/text.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { keyNames } from '../../ui/keys/keys.ts';
import { KeyHint, keysPreference, useKeyboard, useKeysEnabled } from '../../ui/keys/keys-provider.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import './help.css';
import { keySections, type HelpSection } from './key-sections.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Note } from '../../ui/toasts/notice.tsx';
import { RoleChip } from '../../ui/symbols/role-chip.tsx';
import { TypeBadge } from '../../ui/symbols/type-badge.tsx';

/** Keyboard shortcuts, or on touch screens gestures. */
export function Help({ onClose }: { onClose(): void }) {
  return useMedia(touchQuery) ? <TouchHelp onClose={onClose} /> : <KeyHelp onClose={onClose} />;
}

function KeyHelp({ onClose }: { onClose(): void }) {
  const keyboard = useKeyboard();
  // The sections of the page behind the dialog.
  const [activeScopes] = useState(() =>
    keyboard.layers().flatMap(({ scope, commands }) => (commands.length > 0 ? [scope] : [])),
  );
  const on = useKeysEnabled();
  return (
    <Dialog
      title={t.help.title}
      size="large"
      reading
      onClose={onClose}
      footer={
        <>
          <Switch
            label={t.help.single}
            checked={on}
            onChange={(checked) => keysPreference.set(checked ? 'on' : 'off')}
          />
          <span className="quiet to-end">{t.help.single_hint}</span>
        </>
      }
    >
      <div className={on ? 'help-keys' : 'help-keys help-keys-off'}>
        {keySections({ activeScopes }).map((section) => (
          <Section key={section.id} section={section} />
        ))}
      </div>
    </Dialog>
  );
}

function Section({ section: { id, rows, isActive } }: { section: HelpSection }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className="section-name help-heading">
        {t.help.sections[id]} {isActive && <span className="help-here">{t.help.here}</span>}
      </h3>
      <dl>
        {rows.map(({ text, keys }) => (
          <div key={text} className="line gap-3 spread help-row">
            <dt>{text}</dt>
            <dd>
              {keys.flatMap(keyNames).map((name) => (
                <KeyHint key={name} keys={name} />
              ))}
              <span className="visually-hidden">{keys.flatMap(keyNames).join(', ')}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Gestures({ title, of }: { title: string; of: Record<string, { gesture: string; does: string }> }) {
  return (
    <Box title={title}>
      <dl>
        {Object.values(of).map(({ gesture, does }) => (
          <div key={gesture} className="box-row help-gesture">
            <dt className="strong">{gesture}</dt>
            <dd className="muted">{does}</dd>
          </div>
        ))}
      </dl>
    </Box>
  );
}

/** Gestures, and the meaning of the symbols. */
function TouchHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t.help.title_touch} reading onClose={onClose}>
      <Note icon="info">{t.help.touch.no_keys}</Note>
      <Gestures title={t.help.touch.map_title} of={t.help.touch.map} />
      <Gestures title={t.shell.destinations.invitations} of={t.help.touch.invitations} />
      <Box title={t.help.touch.symbols_title}>
        <ul>
          {machineTypes.map((type) => (
            <li key={type} className="box-row help-symbol">
              <TypeBadge type={type} />
              {t.shell.machine_types[type]}
            </li>
          ))}
          {memberRoles.map((role) => (
            <li key={role} className="box-row help-symbol">
              <RoleChip role={role} label={t.shell.roles[role]} />
              <span className="muted">{t.help.touch.roles[role]}</span>
            </li>
          ))}
        </ul>
      </Box>
    </Dialog>
  );
}
