import { useState } from 'react';
import { t } from '../../text/text.ts';
import { Box } from '../../ui/box.tsx';
import { Button } from '../../ui/button.tsx';
import { keysPreference, useKeyboard, useKeysEnabled } from '../../ui/keys-provider.tsx';
import { touch, useMedia } from '../../ui/media.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { usePreference } from '../../ui/preference.ts';
import { theme } from '../../ui/theme-button.tsx';
import { browserNotices } from '../../ui/notices-preference.ts';
import { undoTime, undoTimes } from '../../ui/undo-time-preference.ts';
import { LanguageSelect } from './language-select.tsx';
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
      <div className="box-row preference line gap-4 spread preference-language">
        <span aria-hidden="true">{t.account.preferences.language}</span>
        <LanguageSelect />
      </div>
      <div className="box-row preference line gap-4 spread preference-language">
        <span aria-hidden="true">{t.account.preferences.undo_time}</span>
        <Select
          aria-label={t.account.preferences.undo_time}
          value={usePreference(undoTime)}
          options={undoTimes.map((value) => ({ value, label: t.account.preferences.seconds(value) }))}
          onChange={undoTime.set}
        />
      </div>
      {'Notification' in globalThis && <BrowserNotices />}
      <div className="box-row preference preference-keys">
        <Switch
          label={t.account.preferences.shortcuts}
          checked={shortcuts}
          onChange={(on) => keysPreference.set(on ? 'on' : 'off')}
        />
        <p className="quiet">{t.account.preferences.shortcuts_hint}</p>
        <Button size="small" onClick={() => keyboard.press('?')}>
          {fingers ? t.account.preferences.help : t.account.preferences.all_shortcuts}
        </Button>
      </div>
    </Box>
  );
}

/** Asks for the permission of the browser when it is switched on. */
function BrowserNotices() {
  const [permission, setPermission] = useState(Notification.permission);
  const isWanted = usePreference(browserNotices) === 'on';
  const change = async (on: boolean) => {
    const given = on ? await Notification.requestPermission() : permission;
    setPermission(given);
    browserNotices.set(on && given === 'granted' ? 'on' : 'off');
  };
  return (
    <div className="box-row preference preference-keys">
      <Switch
        label={t.account.preferences.notices}
        checked={isWanted && permission === 'granted'}
        onChange={(on) => void change(on)}
      />
      <p className="quiet" aria-live="polite">
        {permission === 'denied' ? t.account.preferences.notices_blocked : t.account.preferences.notices_hint}
      </p>
    </div>
  );
}
