import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { useUi } from './environment.tsx';
import { FieldBox } from './field.tsx';
import { Icon } from './icon.tsx';
import { KeyHint } from './key-hint.tsx';
import { useKeysEnabled } from './keys-provider.tsx';
import { isComposing } from './keys.ts';
import './search-field.css';

/** Long enough for a word to be typed, short enough to feel like one with the list. */
const pause = 200;

/** Narrows the list at hand while one types. Esc empties it, a second one leaves it. */
export function SearchField({
  q,
  label,
  placeholder,
  field,
  onChange,
  onLeave,
  onEscape,
}: {
  q: string;
  label: string;
  placeholder: string;
  /** Given where `/` leads here. */
  field?: RefObject<HTMLInputElement | null>;
  onChange(q: string): void;
  /** On to the list: arrow down, and Enter where there is nothing new to search. */
  onLeave?(): void;
  /** Asked first; true when it has done what Esc promises elsewhere on the page. */
  onEscape?(): boolean;
}) {
  const { words } = useUi();
  const keys = useKeysEnabled();
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
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
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const { key } = event;
    if (onLeave && (key === 'ArrowDown' || (key === 'Enter' && text === q))) onLeave();
    else if (key === 'Enter') onChange(text);
    else if (key === 'Escape' && onEscape?.()) setText('');
    else if (key === 'Escape' && text !== '') clear();
    else if (key === 'Escape' && field) field.current?.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <search className="search">
      <FieldBox
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        spellCheck={false}
        value={text}
        start={<Icon name="search" size={16} />}
        end={
          text === '' ? (
            keys && field && <KeyHint keys="/" />
          ) : (
            <button type="button" className="search-clear" aria-label={words.clear_search} onClick={clear}>
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
