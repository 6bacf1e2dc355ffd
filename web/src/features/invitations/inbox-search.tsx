import { useEffect, useEffectEvent, useState } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { IconButton } from '../../ui/button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import { words } from './invitation-words.ts';

/** Long enough for a word to be typed, short enough to feel like one with the list. */
const pause = 200;

/** Narrows what is open and history while one types. Esc empties it, a second one leaves it. */
export function InboxSearch({
  q,
  field,
  onChange,
  onLeave,
}: {
  q: string;
  field: RefObject<HTMLInputElement | null>;
  onChange(q: string): void;
  /** On to the list. */
  onLeave(): void;
}) {
  const keys = useKeysEnabled();
  const [text, setText] = useState(q);
  const [of, setOf] = useState(q);
  if (of !== q) {
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
    else if (event.key === 'Escape' && text !== '') clear();
    else if (event.key === 'Escape') field.current?.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="inbox-search">
      <TextField
        ref={field}
        type="search"
        label={words.search}
        quiet
        placeholder={words.search_hint}
        spellCheck={false}
        value={text}
        start={<Icon name="search" size={16} />}
        end={
          text === '' ? (
            keys && <KeyHint keys="/" />
          ) : (
            <IconButton icon="close" look="quiet" label={words.clear_search} onClick={clear} />
          )
        }
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </search>
  );
}
