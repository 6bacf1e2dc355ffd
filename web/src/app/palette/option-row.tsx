import { useEffect, useRef, type ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/symbols/icon.tsx';
import { KeyHint } from '../../ui/keys/keys-provider.tsx';
import { keyNames } from '../../ui/keys/keys.ts';
import { TypeBadge, type Glyph } from '../../ui/symbols/type-badge.tsx';
import { Bdi } from '../../ui/texts/rich.tsx';

/** An option of the palette. */
export interface Option {
  id: string;
  sign: { icon: IconName } | { type: Glyph };
  name: ReactNode;
  second?: ReactNode;
  keys?: string;
  to?: string;
  run(): void;
}

interface OptionRowProps {
  option: Option;
  id: string;
  active: boolean;
  /** Whether key hints are shown. */
  hints: boolean;
  onPoint(): void;
  onChoose(newTab: boolean): void;
}

export function OptionRow({ option, id, active, hints, onPoint, onChoose }: OptionRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  const { sign, name, second, keys } = option;
  return (
    <div
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className="line gap-3 palette-option"
      // Moved, not entered: options that scroll below a resting pointer must not be highlighted.
      onPointerMove={onPoint}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
      onKeyDown={undefined}
    >
      {'icon' in sign ? (
        <span className="center palette-icon">
          <Icon name={sign.icon} />
        </span>
      ) : (
        <TypeBadge type={sign.type} small />
      )}
      <span className="palette-name one-line">{name}</span>
      {second !== undefined && <span className="quiet palette-second one-line">{second}</span>}
      <span className="line gap-1 palette-keys">
        {hints && keys ? keyNames(keys).map((key) => <KeyHint key={key} keys={key} />) : active && <KeyHint keys="↵" />}
      </span>
    </div>
  );
}

/** A name with the matching part highlighted. */
export function Marked({ parts, text }: { parts: [string, string, string] | null; text: string }) {
  if (!parts) return <Bdi title={text}>{text}</Bdi>;
  const [before, typed, after] = parts;
  return (
    <Bdi title={text}>
      {before}
      <b>{typed}</b>
      {after}
    </Bdi>
  );
}
