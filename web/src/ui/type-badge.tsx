import { glyphs } from './glyphs.ts';
import type { Glyph } from './glyphs.ts';
import './type-badge.css';

/** The glyph of a machine type in its colour, without a background, for chips and inputs. */
export function TypeGlyph({ type, size = 18 }: { type: Glyph; size?: number }) {
  return (
    <svg className={`type-glyph type-${type}`} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={glyphs[type]} />
    </svg>
  );
}

/** Hidden from screen readers: the name beside it includes the type in words where it matters. */
export function TypeBadge({ type, small = false }: { type: Glyph; small?: boolean }) {
  return (
    <span className={`type-badge type-${type}${small ? ' type-badge-small' : ''}`}>
      <TypeGlyph type={type} size={small ? 14 : 18} />
    </span>
  );
}
