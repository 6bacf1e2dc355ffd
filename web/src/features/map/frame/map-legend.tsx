import { machineTypes } from '@swarmdeck/bff/first-rules';
import { t } from '../../../text/text.ts';
import { useBackCloses } from '../../../ui/dialogs/back-closes.ts';
import { phone, touch, useMedia } from '../../../ui/browser/media.ts';
import { PresenceDot } from '../../../ui/symbols/presence.tsx';
import { Symbol } from '../symbols/symbol-svg.tsx';
import { HOVER, ringArcs, SELECTED } from '../symbols/symbol-shapes.ts';
import './map-legend.css';

const sample = { by_type: { pc: 3, bug: 6, smartphone: 3 }, radius: 15 };

/** The meaning of the symbols. On a touch screen, Back closes it. */
export function MapLegend({ onClose }: { onClose(): void }) {
  const onTouch = useMedia(touch);
  const isPhone = useMedia(phone);
  // As in map-legend.css. The section takes the focus, so that keys scroll it too.
  const scrolls = onTouch || isPhone;
  useBackCloses(onTouch, onClose);
  return (
    <section className="floating map-legend" aria-label={t.map.legend} {...(scrolls && { tabIndex: 0 })}>
      <ul>
        {machineTypes.map((machine_type) => (
          <li key={machine_type}>
            <Symbol machine_type={machine_type} />
            {t.shell.machine_types[machine_type]}
          </li>
        ))}
        <li>
          <ClusterSample />
          {t.map.cluster}
        </li>
        <li>
          <Symbol machine_type="bug" silent />
          {t.map.silent}
        </li>
        <li>
          <PresenceDot state="silent" />
          {t.map.silent_cluster}
        </li>
        <li className="map-legend-pointer">
          <RingSample radius={HOVER.radius} width={HOVER.width} />
          {t.map.hovered}
        </li>
        <li>
          <RingSample radius={SELECTED.radius} width={SELECTED.width} />
          {t.map.selected}
        </li>
      </ul>
    </section>
  );
}

function ClusterSample() {
  const at = (angle: number) => `${sample.radius * Math.cos(angle)} ${sample.radius * Math.sin(angle)}`;
  return (
    <svg width="36" height="36" viewBox="-18 -18 36 36" aria-hidden="true">
      {ringArcs(sample).map(({ type, from, to }) => (
        <path
          key={type}
          className={`map-symbol-arc map-symbol-${type}`}
          d={`M${at(from)}A${sample.radius} ${sample.radius} 0 ${to - from > Math.PI ? 1 : 0} 1 ${at(to)}`}
        />
      ))}
      <text className="map-symbol-count" y="4">
        12
      </text>
    </svg>
  );
}

function RingSample({ radius, width }: { radius: number; width: number }) {
  return (
    <svg width="36" height="36" viewBox="-24 -24 48 48" aria-hidden="true">
      <circle className="map-symbol-ring" r={radius} strokeWidth={width} />
    </svg>
  );
}
