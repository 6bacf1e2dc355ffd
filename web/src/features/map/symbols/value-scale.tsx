import { formatValue } from '../../../text/format-value.ts';
import type { ValueRange } from './scene.ts';
import './value-scale.css';
import { Bdi } from '../../../ui/texts/rich.tsx';

/** The legend of a map that is coloured by a value. Lazily loaded. */
export function ValueScale({ valueKey, range }: { valueKey: string; range: ValueRange }) {
  return (
    <p className="floating value-scale numbers">
      <Bdi className="strong one-line">{valueKey}</Bdi>
      <span>{formatValue(range.least)}</span>
      <span className="value-scale-bar" />
      <span>{formatValue(range.most)}</span>
    </p>
  );
}
