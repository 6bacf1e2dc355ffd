import type { SharedDevice } from '@swarmdeck/bff/contract';
import { mapOfList, type ListedDevice } from '@swarmdeck/bff/map-of-list';
import type { Map as LeafletMap } from 'leaflet';
import { useMemo, useRef, useState } from 'react';
import { useMapColours } from './canvas/map-colours.ts';
import { createMapNavigation } from './frame/free-view.ts';
import { MapControls } from './frame/map-controls.tsx';
import { usePointer } from './frame/map-events.ts';
import { MapFrame } from './frame/map-frame.tsx';
import { MapShell } from './frame/map-shell.tsx';
import { useFirstView, useViewport, useViewSettled } from './frame/use-map-view.ts';
import { wholeWorld } from './map.api.ts';
import { LiveSymbols, type SymbolLayer } from './symbols/symbol-layer.tsx';

const open = { top: 0, right: 0, bottom: 0, left: 0 };
const everywhere = { lat: 30, lng: 10, zoom: 2 };
/** Nothing is requested: the page has all that is drawn. */
const nothing = { filters: { audience: 'visible' }, viewport: null } as const;

interface SharedMapProps {
  label: string;
  devices: ReadonlyMap<number, SharedDevice>;
  selected: number | null;
  onSelect: (key: number | null) => void;
}

/** The map of a link that shows many devices. Those that are close together are one symbol. */
export function SharedMap({ label, devices, selected, onSelect }: SharedMapProps) {
  const [map, setMap] = useState<LeafletMap | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [hoveredId, setHovered] = useState<string | null>(null);
  const symbols = useRef<SymbolLayer>(null);
  const colours = useMapColours();
  const viewport = useViewport(map)?.viewport;
  const listed = useMemo(() => [...devices.values()].map(listedOf), [devices]);
  const view = useMemo(
    () => mapOfList({ devices: listed, hasRoles: false, ...((isOpen && viewport) || wholeWorld) }),
    [listed, viewport, isOpen],
  );
  const { bounds } = view;
  const { fit, into } = createMapNavigation({ map, insets: open, bounds, leave: () => undefined });
  useFirstView({ map, insets: open, initialView: null, bounds, fallback: everywhere, onOpen: () => setOpen(true) });
  useViewSettled({ map, insets: open });
  usePointer({
    map,
    symbols,
    enabled: true,
    onHover: setHovered,
    onClick(feature) {
      if (!feature) return onSelect(null);
      const { id, geometry, properties } = feature;
      if (!properties.cluster) onSelect(Number(id));
      else into({ geometry, properties });
    },
  });
  const device = selected === null ? undefined : devices.get(selected);
  return (
    <MapShell insets={open} placing={false} cross={false}>
      <MapFrame ref={setMap} label={label} insets={open} view={everywhere}>
        <LiveSymbols
          symbols={symbols}
          question={nothing}
          stored={view}
          names={false}
          colourAt={null}
          valueKey={null}
          valueRange={null}
          onValueRange={() => undefined}
          selected={device?.position ? selectedOf(device) : null}
          hoveredId={hoveredId}
          colours={colours}
          insets={open}
        />
      </MapFrame>
      {map && <MapControls map={map} insets={open} onFit={bounds ? fit : undefined} />}
    </MapShell>
  );
}

/** Guests do not see when a device was heard. */
const listedOf = ({ key, name, machine_type, position, located_at }: SharedDevice): ListedDevice => ({
  id: String(key),
  name,
  machine_type,
  presence: { state: 'online' },
  changed_at: located_at ?? '',
  ...(position && { position }),
});

const selectedOf = ({ key, name, machine_type, position }: SharedDevice) => ({
  id: String(key),
  name,
  machine_type,
  position: position!,
  presence: { state: 'online' as const },
});
