import { ta } from '../../text/account.ts';
import { t } from '../../text/text.ts';
import { Box } from '../../ui/box.tsx';
import { keysPreference, useKeysEnabled } from '../../ui/keys-provider.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Switch } from '../../ui/switch.tsx';
import { theme, useTheme } from '../../ui/theme.ts';
import './preferences.css';

/** What this browser remembers; nothing of it is sent anywhere. */
export function Preferences({ id }: { id: string }) {
  const { label, light, dark, system } = t.shell.theme;
  const shortcuts = useKeysEnabled();
  return (
    <Box id={id} title={ta.preferences.title}>
      <div className="box-row preference">
        <Segmented
          label={label}
          value={useTheme()}
          options={[
            { value: 'light', label: light },
            { value: 'dark', label: dark },
            { value: 'system', label: system },
          ]}
          onChange={theme.set}
        />
      </div>
      <div className="box-row preference preference-keys">
        <Switch
          label={ta.preferences.shortcuts}
          checked={shortcuts}
          onChange={(on) => keysPreference.set(on ? 'on' : 'off')}
        />
        <p className="box-row-line">{ta.preferences.shortcuts_hint}</p>
      </div>
    </Box>
  );
}
