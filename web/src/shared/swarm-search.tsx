import { formatNumber, t } from '../text/text.ts';
import { SearchField } from '../ui/search-field.tsx';

/** So many need no search. */
const few = 10;

interface SwarmSearchProps {
  q: string;
  /** How many swarms match, and how many of them are offered. Undefined until they are known. */
  found: { total: number; offered: number } | undefined;
  /** What the text is compared with; by default also the owner. */
  placeholder?: string;
  onChange(q: string): void;
}

/** Above a choice of one of many swarms. */
export function SwarmSearch({ q, found, placeholder = t.swarms.list.search_hint, onChange }: SwarmSearchProps) {
  if (q === '' && (!found || found.total <= few)) return null;
  return (
    <div className="stack gap-1">
      <SearchField q={q} label={t.swarms.list.search} placeholder={placeholder} onChange={onChange} />
      <output className="quiet numbers">
        {found?.total === 0 && t.bulk.no_swarm_found}
        {found &&
          found.total > found.offered &&
          t.bulk.first_swarms(formatNumber(found.offered), formatNumber(found.total))}
      </output>
    </div>
  );
}
