import { withValues } from '../../../data/filter-params.ts';
import { ValueChip } from '../../../shared/values/value-chip.tsx';
import { useUrlState } from '../../../ui/urls/url-state.ts';
import { homeUrl } from '../device-filters.ts';

/** Which value the list and the map show. */
export function HomeValueChip() {
  const [{ filters, byValue }, setUrl] = useUrlState(homeUrl);
  return (
    <ValueChip
      audience={filters.audience ?? 'own'}
      chosen={filters}
      isColoured={byValue}
      onChoose={(chosen, isColoured) =>
        setUrl((now) => ({ filters: withValues(now.filters, chosen), byValue: isColoured }))
      }
    />
  );
}
