import { useEffect, useEffectEvent, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import './search-box.css';
import { words } from './swarm-words.ts';

/** Long enough for a word to be typed, short enough to feel like one with the list. */
const pause = 200;

/** Narrows the list at hand while one types. Esc empties it, a second one leaves it. */
export function SearchBox({
  q,
  label,
  placeholder,
  field,
  keyHint = true,
  onChange,
}: {
  q: string;
  label: string;
  placeholder: string;
  field?: RefObject<HTMLInputElement | null>;
  keyHint?: boolean;
  onChange(q: string): void;
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
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') onChange(text);
    else if (event.key === 'Escape' && text !== '') clear();
    else if (event.key === 'Escape' && field) event.currentTarget.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="search-box">
      <TextField
        {...(field && { ref: field })}
        type="search"
        label={label}
        quiet
        placeholder={placeholder}
        spellCheck={false}
        value={text}
        start={<Icon name="search" size={16} />}
        end={
          text === '' ? (
            keys && keyHint && <KeyHint keys="/" />
          ) : (
            <IconButton icon="close" look="quiet" label={words.list.clear} onClick={clear} />
          )
        }
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </search>
  );
}
