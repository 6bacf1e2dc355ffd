import { useId, useState } from 'react';
import { t } from '../../text/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { keyNames } from '../../ui/key-names.ts';
import { keysPreference, useKeyboard, useKeysEnabled } from '../../ui/keys-provider.tsx';
import { Switch } from '../../ui/switch.tsx';
import './help.css';
import { keySections } from './key-sections.ts';
import type { HelpSection, SectionId } from './key-sections.ts';

export function KeyHelp({ onClose }: { onClose(): void }) {
  const keyboard = useKeyboard();
  // The sections of the page behind the dialog.
  const [here] = useState(() => keyboard.layers().map(({ place }) => place));
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
          <span className="dialog-aside">{t.help.single_hint}</span>
        </>
      }
    >
      <div className={on ? 'help-keys' : 'help-keys help-keys-off'}>
        {keySections({ here }).map((section) => (
          <Section key={section.id} section={section} />
        ))}
      </div>
    </Dialog>
  );
}

function Section({ section: { id, rows, here } }: { section: HelpSection<SectionId> }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading} className="help-heading">
        {t.help.sections[id]} {here && <span className="help-here">{t.help.here}</span>}
      </h3>
      <dl>
        {rows.map(({ text, keys }) => (
          <div key={text} className="help-row">
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
