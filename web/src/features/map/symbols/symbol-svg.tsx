import type { MachineType } from '@swarmdeck/bff/contract';
import { singleRadius } from '@swarmdeck/bff/symbol-size';
import { glyphs } from '../../../ui/symbols/type-badge.tsx';
import './symbol.css';
import { outlines, SELECTED } from './symbol-shapes.ts';

/** A symbol as SVG, with the same shapes as on the canvas. */
export function Symbol(props: { machine_type: MachineType; selected?: boolean; silent?: boolean }) {
  const { machine_type, selected = false, silent = false } = props;
  const half = selected ? SELECTED.radius + SELECTED.width / 2 : singleRadius + 2;
  return (
    <svg
      className={`map-symbol map-symbol-${machine_type}${silent ? ' map-symbol-silent' : ''}`}
      width={2 * half}
      height={2 * half}
      viewBox={`${-half} ${-half} ${2 * half} ${2 * half}`}
      aria-hidden="true"
    >
      {selected && <circle className="map-symbol-ring" r={SELECTED.radius} strokeWidth={SELECTED.width} />}
      <path className="map-symbol-outline" d={outlines[machine_type]} />
      <path className="map-symbol-glyph" d={glyphs[machine_type]} transform="scale(.5833) translate(-12 -12)" />
    </svg>
  );
}
