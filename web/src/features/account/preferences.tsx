import { t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { Button } from '../../ui/buttons/button.tsx';
import { keysPreference, useKeyboard, useKeysEnabled } from '../../ui/keys/keys-provider.tsx';
import { touch, useMedia } from '../../ui/browser/media.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Switch } from '../../ui/fields/switch.tsx';
import { usePreference } from '../../ui/browser/preference.ts';
import { theme } from '../../ui/buttons/theme-button.tsx';
import { undoTime, undoTimes } from '../../ui/fields/undo-time-preference.ts';
import { LanguageSelect } from './language-select.tsx';
import { PushNotices } from './push-notices.tsx';
import './account-boxes.css';

/** Settings that only this browser stores. */
export function Preferences({ id }: { id: string }) {
  const { label, light, dark, system } = t.shell.theme;
  const shortcuts = useKeysEnabled();
  const keyboard = useKeyboard();
  const fingers = useMedia(touch);
  return (
    <Box id={id} title={t.account.preferences.title}>
      <div className="box-row preference">
        <Segmented
          label={label}
          value={usePreference(theme)}
          options={[
            { value: 'light', label: light },
            { value: 'dark', label: dark },
            { value: 'system', label: system },
          ]}
          onChange={theme.set}
        />
      </div>
      <div className="box-row preference line wraps gap-4 spread preference-language">
        <span aria-hidden="true">{t.account.preferences.language}</span>
        <LanguageSelect />
      </div>
      <div className="box-row preference line wraps gap-4 spread preference-language">
        <span aria-hidden="true">{t.account.preferences.undo_time}</span>
        <Select
          aria-label={t.account.preferences.undo_time}
          value={usePreference(undoTime)}
          options={undoTimes.map((value) => ({ value, label: t.account.preferences.seconds(value) }))}
          onChange={undoTime.set}
        />
      </div>
      <PushNotices />
      <div className="box-row preference preference-keys">
        <Switch
          label={t.account.preferences.shortcuts}
          checked={shortcuts}
          onChange={(on) => keysPreference.set(on ? 'on' : 'off')}
        />
        <p className="quiet">{t.account.preferences.shortcuts_hint}</p>
        <Button size="small" onClick={() => keyboard.run('help')}>
          {fingers ? t.account.preferences.help : t.account.preferences.all_shortcuts}
        </Button>
      </div>
    </Box>
  );
}
