import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { MachineType, Position, Resource } from '@swarmdeck/bff/contract';
import { roundPosition, t } from '../../../text/text.ts';
import { touch, useMedia } from '../../../ui/media.ts';
import { readPosition, writePosition } from '../form/coordinates.ts';
import type { DeviceEditor } from './use-device-editor.ts';

/** The map's interface for the page of a device. The route passes the map. */
interface PositionMap {
  position: Position | null;
  machine_type: MachineType;
  name: string;
  onChange(position: Position): void;
  readOnly: boolean;
  placing: boolean;
  onPlaced(): void;
}
export type RenderPositionMap = (props: PositionMap) => ReactNode;

/** The position as a marker, which edits the same draft as the number fields. */
export function DevicePositionMap({
  resource,
  editor,
  own,
  placing,
  onPlaced,
  renderMap,
}: {
  resource: Resource;
  editor: DeviceEditor;
  own: boolean;
  placing: boolean;
  onPlaced(): void;
  renderMap: RenderPositionMap;
}) {
  const onTouch = useMedia(touch);
  const { draft } = editor;
  const { latitude, longitude } = draft;
  // The same object until the position changes, because a new one would move the map.
  const position = useMemo(() => readPosition({ latitude, longitude }) ?? null, [latitude, longitude]);
  const hint =
    placing || !position ? t.device.page.place_hint : onTouch ? t.device.page.drag_touch : t.device.page.drag;
  return (
    <div className="device-map">
      {renderMap({
        position,
        machine_type: draft.machine_type ?? resource.machine_type,
        name: resource.name,
        onChange: (to) => editor.change({ ...draft, ...writePosition(roundPosition(to)) }),
        readOnly: !own,
        placing,
        onPlaced,
      })}
      {own && <p className="device-quiet">{hint}</p>}
    </div>
  );
}
