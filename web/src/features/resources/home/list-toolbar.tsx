import { formatClock, formatNumber, t } from '../../../text/text.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { SetUrlState } from '../../../ui/url-state.ts';
import { sorts } from '../device-filters.ts';
import type { ListState } from '../device-filters.ts';
import './device-panel.css';

/** The sort order, the number of rows out of order, and whether the list is limited to the view. */
export function ListToolbar({
  state,
  outOfPlace,
  asOf,
  onChange,
  onSortAgain,
}: {
  state: ListState;
  outOfPlace: number;
  /** The time of the data while the server cannot be reached, on screens without space for it in the header. */
  asOf: string | undefined;
  onChange: SetUrlState<ListState>;
  onSortAgain(): void;
}) {
  return (
    <div className="list-toolbar">
      <Menu
        label={t.devices.sort_by(t.devices.sort[state.sort])}
        items={sorts.map((sort) => ({
          id: sort,
          label: t.devices.sort[sort],
          checked: sort === state.sort,
          onSelect: () => onChange({ sort }),
        }))}
        renderTrigger={(button) => (
          <button
            type="button"
            className="list-toolbar-sort"
            aria-label={t.devices.sort_by(t.devices.sort[state.sort])}
            {...button}
          >
            <Icon name="sort" size={16} />
            {t.devices.sort[state.sort]}
          </button>
        )}
      />
      <span className="list-toolbar-changed" aria-live="polite">
        {asOf ? (
          <span className="panel-as-of numbers">{t.devices.as_of(formatClock(asOf))}</span>
        ) : (
          outOfPlace > 0 && (
            <button type="button" className="list-toolbar-again numbers" onClick={onSortAgain}>
              {t.devices.sort_again(formatNumber(outOfPlace))}
            </button>
          )
        )}
      </span>
      <Switch label={t.devices.in_view} checked={state.in_view} onChange={(in_view) => onChange({ in_view })} />
    </div>
  );
}
