import { useEffect, useEffectEvent, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { t } from '../../text/text.ts';
import { Icon } from '../../ui/icon.tsx';
import { FieldBox } from '../../ui/field-box.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import './search-field.css';

/** Long enough for a word to be typed, short enough to feel like one with the list. */
const pause = 200;

/** Filters the list while one types. Esc empties it, a second one leaves it. */
export function SearchField({
  q,
  onChange,
  field,
  onLeave,
  onEscape,
}: {
  q: string;
  onChange(q: string): void;
  field: RefObject<HTMLInputElement | null>;
  /** Arrow down: on to the list. */
  onLeave(): void;
  /** Asked first; true when it has done what Esc promises elsewhere on the page. */
  onEscape(): boolean;
}) {
  const keys = useKeysEnabled();
  const [text, setText] = useState(q);
  const [of, setOf] = useState(q);
  if (of !== q) {
    // taken off elsewhere, or another URL
    setOf(q);
    setText(q);
  }
  const change = useEffectEvent(onChange);
  useEffect(() => {
    if (text === q) return undefined;
    const timer = setTimeout(() => change(text), pause);
    return () => clearTimeout(timer);
  }, [text, q]);

  const clear = () => {
    setText('');
    onChange('');
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || (event.key === 'Enter' && text === q)) onLeave();
    else if (event.key === 'Enter') onChange(text);
    else if (event.key === 'Escape' && onEscape()) setText('');
    else if (event.key === 'Escape' && text !== '') clear();
    else if (event.key === 'Escape') field.current?.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <search>
      <FieldBox
        ref={field}
        type="search"
        aria-label={t.devices.search}
        placeholder={t.devices.search_hint}
        spellCheck={false}
        value={text}
        start={<Icon name="search" size={16} />}
        end={
          text === '' ? (
            keys && <KeyHint keys="/" />
          ) : (
            <button type="button" className="search-clear" aria-label={t.devices.clear_search} onClick={clear}>
              <Icon name="close" size={16} />
            </button>
          )
        }
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </search>
  );
}
