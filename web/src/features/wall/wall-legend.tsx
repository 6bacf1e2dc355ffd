import type { ReactNode } from 'react';
import { machineTypes, memberRoles, presenceStates } from '@swarmdeck/bff/field-rules';
import { toggleChosen } from '../../data/filter-params.ts';
import { ValueChip } from '../../shared/values/value-chip.tsx';
import { formatNumber, t } from '../../text/text.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Chip } from '../../ui/symbols/chip.tsx';
import { PresenceDot, useIsCounted } from '../../ui/symbols/presence.tsx';
import { RoleSign } from '../../ui/symbols/role-chip.tsx';
import { usePreference } from '../../ui/browser/preference.ts';
import { Switch } from '../../ui/fields/switch.tsx';
import { TypeGlyph } from '../../ui/symbols/type-badge.tsx';
import { playTones, silenceSound } from './silence-sound.ts';
import { useWall } from './wall-state.ts';
import { useSetLayers } from './use-set-layers.ts';
import { useWallUrl } from './use-wall-url.ts';
import type { WallSummary } from './wall.api.ts';
import './wall-legend.css';

interface Layer {
  id: string;
  glyph: ReactNode;
  name: string;
  /** Null while it loads, and undefined if nobody knows. */
  count: string | null | undefined;
  on: boolean;
  toggle(): void;
}

/** The groups of layers, with the number of devices in each. */
function useLayerGroups(): { name: string; layers: Layer[] }[] {
  const [{ layers }] = useWallUrl();
  const { counts } = useWall('counts');
  const onLayers = useSetLayers();
  // Only members of a swarm have roles.
  const withRoles = useWall('place').swarm !== null;
  const count = (value: number | undefined) => (value === undefined ? null : formatNumber(value));
  const isCounted = useIsCounted();
  const roles = memberRoles.map((role): Layer => ({
    id: role,
    glyph: <RoleSign role={role} />,
    name: t.shell.roles[role],
    count: count(counts?.resource_type?.[role]),
    on: layers.resource_type.includes(role),
    toggle: () => onLayers(toggleChosen(layers, 'resource_type', role)),
  }));
  const types = machineTypes.map((type): Layer => ({
    id: type,
    glyph: <TypeGlyph type={type} size={16} />,
    name: t.shell.machine_types[type],
    count: count(counts?.machine_type[type]),
    on: layers.machine_type.includes(type),
    toggle: () => onLayers(toggleChosen(layers, 'machine_type', type)),
  }));
  const presence = presenceStates.map((state): Layer => ({
    id: state,
    glyph: <PresenceDot state={state} />,
    name: t.shell.presence_names[state],
    count: isCounted(state) ? count(counts?.presence[state]) : undefined,
    on: layers.presence.includes(state),
    toggle: () => onLayers(toggleChosen(layers, 'presence', state)),
  }));
  return [
    ...(withRoles ? [{ name: t.wall.role, layers: roles }] : []),
    { name: t.wall.machine_type, layers: types },
    ...(isHeard(counts) || layers.presence.length < presenceStates.length
      ? [{ name: t.wall.presence, layers: presence }]
      : []),
  ];
}

/** Until a device is heard, its presence says nothing. */
const isHeard = (counts: WallSummary | undefined) => counts !== undefined && counts.presence.never < counts.total;

/** The legend: symbols with their meaning and count, which toggle their layer. */
export function WallLegend() {
  const { counts } = useWall('counts');
  return (
    <>
      {useLayerGroups().map(({ name, layers }) => (
        <fieldset key={name} className="wall-layers">
          <legend className="section-name">{name}</legend>
          {layers.map((layer) => (
            <label key={layer.id} className="line wall-layer">
              <span className="center wall-layer-glyph">{layer.glyph}</span>
              <span className="grow">{layer.name}</span>
              <span className="numbers">{layer.count ?? '…'}</span>
              <input
                type="checkbox"
                role="switch"
                className="switch-input"
                checked={layer.on}
                aria-checked={layer.on}
                onChange={layer.toggle}
              />
            </label>
          ))}
        </fieldset>
      ))}
      {isHeard(counts) && <SoundSwitch />}
      <ColourScale />
      <WallValue />
    </>
  );
}

/** The legend as chips, for touch screens. */
export function WallChips() {
  const { counts } = useWall('counts');
  return (
    <>
      {useLayerGroups().map(({ name, layers }) => (
        <fieldset key={name} aria-label={name} className="line wall-chips">
          {layers.map(({ id, glyph, name: label, count, on, toggle }) => (
            <Chip key={id} icon={glyph} label={label} count={count} pressed={on} clearable={false} onToggle={toggle} />
          ))}
        </fieldset>
      ))}
      {isHeard(counts) && <SoundSwitch />}
      <ColourScale />
      <WallValue />
    </>
  );
}

function SoundSwitch() {
  const sound = usePreference(silenceSound);
  return (
    <Switch
      label={t.wall.sound}
      checked={sound === 'on'}
      onChange={(on) => {
        silenceSound.set(on ? 'on' : 'off');
        if (on) playTones();
      }}
    />
  );
}

function ColourScale() {
  const [{ colour }, setUrl] = useWallUrl();
  const byHeard = colour === 'heard';
  return (
    <div className={`stack wall-colour${byHeard ? '' : ' wall-colour-off'}`}>
      <Switch label={t.wall.colour} checked={byHeard} onChange={(on) => setUrl({ colour: on ? 'heard' : null })} />
      <p className="wall-scale">
        <span className="wall-scale-bar" />
        {Object.values(t.wall.scale).map((step) => (
          <span key={step}>{step}</span>
        ))}
        <span className="visually-hidden">{t.wall.scale_text}</span>
      </p>
    </div>
  );
}

/** Which value symbols show, and are coloured by. */
function WallValue() {
  const { audience } = useWall('place');
  const [{ value, colour }, setUrl] = useWallUrl();
  return (
    <div>
      <ValueChip
        audience={audience}
        chosen={value}
        isColoured={colour === 'value'}
        onChoose={(chosen, isColoured) =>
          setUrl((now) => ({
            value: chosen,
            colour: isColoured ? 'value' : now.colour === 'value' ? null : now.colour,
          }))
        }
      />
    </div>
  );
}

/** Shown when all layers are off, with a button to show them. */
export function LayersOff({ onShowAll }: { onShowAll(): void }) {
  return (
    <output className="line wraps wall-off">
      {t.wall.layers_off}
      <Button size="small" onClick={onShowAll}>
        {t.wall.show_all}
      </Button>
    </output>
  );
}
