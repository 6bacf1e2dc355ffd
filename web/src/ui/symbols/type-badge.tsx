import { symbolSize } from './icon.tsx';
import { PresenceDot, useKnownState, type PresenceShape } from './presence.tsx';
import './type-badge.css';

/**
 * One drawing for each machine type, for the icons in lists and the canvas of the map: filled paths in a box of 24.
 * Holes run against their outline and nothing overlaps, so both fill rules give the same result.
 */
export const glyphs = {
  pc: 'M4 3.5h16a1.5 1.5 0 0 1 1.5 1.5v10.5A1.5 1.5 0 0 1 20 17h-6.5v2H16.5v2h-9v-2h3v-2H4a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 4 3.5zM5 6v8.5h14V6z',
  bug: 'M8.2 7.4a3.8 3.8 0 0 1 7.6 0zM11.3 8.9v11.9C8.2 20.4 6.2 17.8 6.2 14.6V10.4A1.5 1.5 0 0 1 7.7 8.9zM12.7 8.9h3.6a1.5 1.5 0 0 1 1.5 1.5v4.2c0 3.2-2 5.8-5.1 6.2zM2 12.4h3.7v1.9H2zM18.3 12.4H22v1.9h-3.7zM3.9 5.9 6.6 8.3 5.4 9.7 2.7 7.3zM20.1 5.9l1.2 1.4-2.7 2.4-1.2-1.4zM5.8 16.7l1 1.6-2.9 2.4-1.2-1.4zM18.2 16.7l3.1 2.6-1.2 1.4-2.9-2.4zM8.4 1.7l1.9 1.7-1.3 1.1-1.9-1.7zM15.6 1.7l1.3 1.1L15 4.5l-1.3-1.1z',
  smartphone:
    'M8 1.5h8a2.5 2.5 0 0 1 2.5 2.5v16a2.5 2.5 0 0 1-2.5 2.5H8A2.5 2.5 0 0 1 5.5 20V4A2.5 2.5 0 0 1 8 1.5zM8 5v11.5h8V5zM10.8 18.5v1.8h2.4v-1.8z',
} as const;

export type Glyph = keyof typeof glyphs;

/** The glyph of a machine type in its colour, without a background, for chips and inputs. */
export function TypeGlyph({ type, size = 18 }: { type: Glyph; size?: number }) {
  return (
    <svg className={`type-glyph type-${type}`} style={symbolSize(size)} viewBox="0 0 24 24" aria-hidden="true">
      <path d={glyphs[type]} />
    </svg>
  );
}

/** Hidden from screen readers: the name beside it includes the type in words where it matters. */
export function TypeBadge(props: { type: Glyph; small?: boolean; presence?: PresenceShape | undefined }) {
  const { type, small = false } = props;
  const presence = useKnownState(props.presence);
  return (
    <span className={`type-badge type-${type}${small ? ' type-badge-small' : ''}`}>
      <TypeGlyph type={type} size={small ? 14 : 18} />
      {presence && <PresenceDot state={presence} />}
    </span>
  );
}
