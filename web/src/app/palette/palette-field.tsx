import type { RefObject } from 'react';
import { t } from '../../text/text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { useKeysEnabled } from '../../ui/keys-provider.tsx';
import { phone as phoneQuery, useMedia } from '../../ui/media.ts';

/** The text field. It keeps the focus; `aria-activedescendant` names the `active` option of `list`. */
export function PaletteField({
  ref,
  typed,
  onType,
  list,
  active,
  onClose,
}: {
  ref: RefObject<HTMLInputElement | null>;
  typed: string;
  onType(text: string): void;
  list: string;
  active: string | undefined;
  onClose(): void;
}) {
  const phone = useMedia(phoneQuery);
  const hints = useKeysEnabled();
  const clear = () => {
    onType('');
    ref.current?.focus();
  };
  return (
    <div className="palette-head">
      {phone && <IconButton icon="back" look="quiet" label={t.palette.close} onClick={onClose} />}
      <div className="palette-field">
        <Icon name="search" size={20} />
        <input
          ref={ref}
          role="combobox"
          aria-label={t.palette.title}
          aria-expanded
          aria-autocomplete="list"
          aria-controls={list}
          aria-activedescendant={active}
          placeholder={t.palette.hint}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
        />
      </div>
      {phone && typed !== '' && <IconButton icon="close" look="quiet" label={t.palette.clear} onClick={clear} />}
      {!phone && hints && <KeyHint keys="Esc" />}
    </div>
  );
}
