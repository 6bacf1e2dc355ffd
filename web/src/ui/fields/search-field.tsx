import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { searchLength } from '@swarmdeck/bff/first-rules';
import { t } from '../../text/text.ts';
import { FieldBox } from './field-box.tsx';
import { Icon } from '../symbols/icon.tsx';
import { KeyHint, useKeysEnabled } from '../keys/keys-provider.tsx';
import { isComposing } from '../keys/keys.ts';
import './search-field.css';

/** In ms after the last key: long enough to type a word, short enough to feel immediate. */
const pause = 200;

interface SearchFieldProps {
  q: string;
  label: string;
  placeholder: string;
  /** Set if `/` moves the focus here. */
  field?: RefObject<HTMLInputElement | null>;
  onChange(q: string): void;
  /** Moves the focus to the list: arrow down, or Enter if the text has not changed. */
  onLeave?(): void;
  /** Called first on Esc; returns true if it has handled the key. */
  onEscape?(): boolean;
}

/** Filters a list while the user types. Esc clears the text, a second Esc leaves the field. */
export function SearchField({ q, label, placeholder, field, onChange, onLeave, onEscape }: SearchFieldProps) {
  const keys = useKeysEnabled();
  const own = useRef<HTMLInputElement>(null);
  const input = field ?? own;
  const [text, setText] = useState(q);
  /** `sent`: the own changes that `q` does not have yet. */
  const [last, setLast] = useState<{ q: string; sent: readonly string[] }>({ q, sent: [] });
  if (last.q !== q) {
    const echo = last.sent.lastIndexOf(q);
    setLast({ q, sent: echo < 0 ? [] : last.sent.slice(echo + 1) });
    // The text was cleared elsewhere, or the URL has changed. After an own change, the user may have typed on.
    if (echo < 0) setText(q);
  }
  const change = (next: string) => {
    if (next !== (last.sent.at(-1) ?? q)) setLast({ ...last, sent: [...last.sent, next] });
    onChange(next);
  };
  const changeLater = useEffectEvent(change);
  useEffect(() => {
    if (text === q) return undefined;
    const timer = setTimeout(() => changeLater(text), pause);
    return () => clearTimeout(timer);
  }, [text, q]);

  const clear = () => {
    setText('');
    change('');
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const { key } = event;
    if (onLeave && (key === 'ArrowDown' || (key === 'Enter' && text === q))) onLeave();
    else if (key === 'Enter') change(text);
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
        maxLength={searchLength}
        value={text}
        start={<Icon name="search" size={16} />}
        end={
          text === '' ? (
            keys && field && <KeyHint keys="/" />
          ) : (
            <button
              type="button"
              className="center hoverable field-button search-clear"
              aria-label={t.shell.kit.clear_search}
              onClick={clear}
            >
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
