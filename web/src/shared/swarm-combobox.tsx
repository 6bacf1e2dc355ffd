import type { NamedItem } from '@swarmdeck/bff/contract';
import { formatNumber, t } from '../text/text.ts';
import { Combobox, type ComboboxOption } from '../ui/fields/combobox.tsx';

/** So many of the swarms that match are listed. */
const mostListed = 200;

interface SwarmComboboxProps extends Omit<
  Parameters<typeof Combobox>[0],
  'value' | 'options' | 'placeholder' | 'note'
> {
  chosen: NamedItem | undefined;
  /** Those that match `q`. Undefined until they are known. */
  swarms: readonly (NamedItem & Pick<ComboboxOption, 'end'>)[] | undefined;
  /** How many match, of which `swarms` may be the first ones. By default all of them. */
  total?: number | undefined;
  /** After the swarms, such as one that creates a swarm. */
  more?: readonly ComboboxOption[];
}

const noOptions: readonly ComboboxOption[] = [];

/** Chooses one of the user's swarms, of which there may be thousands. */
export function SwarmCombobox({
  chosen,
  swarms,
  total = swarms?.length,
  more = noOptions,
  ...field
}: SwarmComboboxProps) {
  const listed = swarms?.slice(0, mostListed);
  return (
    <Combobox
      {...field}
      placeholder={t.bulk.choose_swarm}
      value={chosen && optionOf(chosen)}
      options={listed && [...listed.map(optionOf), ...more]}
      note={
        listed && field.isSettled && total !== undefined
          ? noteOf({ listed: listed.length, total, q: field.q })
          : t.palette.searching
      }
    />
  );
}

const optionOf = ({ id, name, ...rest }: NamedItem & Pick<ComboboxOption, 'end'>): ComboboxOption => ({
  ...rest,
  id,
  text: name,
});

function noteOf({ listed, total, q }: { listed: number; total: number; q: string }) {
  if (total === 0) return t.bulk.no_swarm_found;
  if (total > listed) return t.bulk.first_found(formatNumber(listed), formatNumber(total));
  return q !== '' && t.bulk.swarms_found(total);
}
