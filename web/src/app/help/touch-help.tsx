import { t } from '../../text/text.ts';
import { Box } from '../../ui/box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/notice.tsx';
import { RoleChip } from '../../ui/role-chip.tsx';
import { TypeBadge } from '../../ui/type-badge.tsx';
import './help.css';

const types = ['pc', 'bug', 'smartphone'] as const;
const roles = ['producer', 'consumer', 'both'] as const;

/** Gestures, and the meaning of the symbols. */
export function TouchHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t.help.title_touch} reading onClose={onClose}>
      <Note icon="list">{t.help.touch.no_keys}</Note>
      <Box title={t.help.touch.map_title}>
        <dl>
          {Object.values(t.help.touch.map).map(({ gesture, does }) => (
            <div key={gesture} className="box-row help-gesture">
              <dt>{gesture}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </Box>
      <Box title={t.help.touch.symbols_title}>
        <ul>
          {types.map((type) => (
            <li key={type} className="box-row help-symbol">
              <TypeBadge type={type} />
              {t.shell.machine_types[type]}
            </li>
          ))}
          {roles.map((role) => (
            <li key={role} className="box-row help-symbol">
              <RoleChip role={role} label={t.shell.roles[role]} />
              <span>{t.help.touch.roles[role]}</span>
            </li>
          ))}
        </ul>
      </Box>
    </Dialog>
  );
}
