import { formatDateTimeSeconds } from '../../text/formats.ts';
import { t } from '../../text/text.ts';
import { Button } from '../buttons/button.tsx';
import { Field } from '../fields/field.tsx';
import { downloadFile } from '../browser/save-file.ts';
import './track-slider.css';

interface TrackSliderProps {
  /** Oldest first. */
  points: readonly { at: string }[];
  /** The index of the chosen point; null: the newest one. */
  chosen: number | null;
  choose(index: number | null): void;
  /** The path of the file with the whole track. */
  path: string;
}

/** When a device was where: chooses a point of its track. */
export function TrackSlider({ points, chosen, choose, path }: TrackSliderProps) {
  const last = points.length - 1;
  const index = chosen ?? last;
  const point = points[index];
  if (!point) return <p className="quiet">{t.device.position_map.track.empty}</p>;
  const time = formatDateTimeSeconds(point.at);
  return (
    <div className="stack gap-2 track-slider">
      <Field
        label={t.device.position_map.track.label}
        hint={
          <time className="numbers" dateTime={point.at}>
            {time}
          </time>
        }
      >
        {(control) => (
          <input
            {...control}
            type="range"
            min={0}
            max={last}
            value={index}
            disabled={last === 0}
            aria-valuetext={time}
            onChange={({ currentTarget: { valueAsNumber: to } }) => choose(to === last ? null : to)}
          />
        )}
      </Field>
      <div>
        <Button size="small" onClick={() => downloadFile({ name: 'track.geojson', path })}>
          {t.device.position_map.track.download}
        </Button>
      </div>
    </div>
  );
}
