import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { useBackCloses } from './back-closes.ts';
import './combobox.css';
import { Field } from './field.tsx';
import { FieldBox } from './field-box.tsx';
import { Icon, type IconName } from './icon.tsx';
import { isComposing } from './keys.ts';
import { showBeside } from './popover.tsx';
import { useChoice } from './use-choice.ts';

/** In ms after the last key: as in a search field. */
const pause = 200;
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

export interface ComboboxOption {
  id: string;
  /** In the field once it is chosen. */
  text: string;
  icon?: IconName | undefined;
  /** At the end of the line, such as a count. */
  end?: ReactNode;
}

interface ComboboxProps {
  label: string;
  /** The label is hidden from sight. */
  quiet?: boolean;
  hint?: ReactNode;
  placeholder: string;
  /** The chosen one, which the options may not have. */
  value: Pick<ComboboxOption, 'id' | 'text'> | undefined;
  /** Those that match `q`. Undefined until they are known. */
  options: readonly ComboboxOption[] | undefined;
  /** The text of the search that was last told to `onSearch`. */
  q: string;
  /** The options are those of `q`. */
  isSettled: boolean;
  /** Below the options: that there are none, or more than these. */
  note?: ReactNode;
  /** The options are always shown, for a part of the page that is only about them. */
  isInline?: boolean;
  onSearch(q: string): void;
  onChoose(id: string): void;
}

/**
 * A text field that searches among many options and chooses one of them (the pattern "combobox" of ARIA). The field keeps the
 * focus. While the options are hidden, it shows the chosen one.
 */
export function Combobox(props: ComboboxProps) {
  const { label, quiet, hint, placeholder, value, options = [], note, isInline = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { typed, isOpen, isSettled, open, type, close } = useTyped(props);
  const choose = (index: number) => {
    const option = options[index];
    if (!option) return;
    close();
    props.onChoose(option.id);
  };
  const ids = options.map((option) => option.id);
  const choice = useChoice({ word: typed ?? '', ids, settled: isSettled, onChoose: choose });
  const isShown = isOpen || isInline;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (isComposing(event.nativeEvent)) return;
    if (step !== undefined) {
      if (isShown) choice.step(step);
      else open();
    } else if (event.key === 'Enter' && isShown) choice.enter(false);
    else if (event.key === 'Escape' && isOpen && !isInline) close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const list = <Options {...{ label, options, note }} id={`${id}-list`} active={choice.index} onChoose={choose} />;
  return (
    <Field label={label} quiet={quiet} hint={hint}>
      {(control) => (
        <div ref={box} className="combobox">
          <FieldBox
            {...control}
            role="combobox"
            aria-expanded={isShown}
            aria-autocomplete="list"
            aria-controls={isShown ? `${id}-list` : undefined}
            aria-activedescendant={isShown && options.length > 0 ? `${id}-list-${choice.index}` : undefined}
            placeholder={value && typed !== null ? value.text : placeholder}
            spellCheck={false}
            autoCapitalize="none"
            dir="auto"
            value={typed ?? value?.text ?? ''}
            start={isInline && <Icon name="search" size={16} />}
            end={!isInline && <Icon name="down" />}
            onClick={open}
            onChange={(event) => type(event.currentTarget.value)}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
          {isInline && list}
          {isOpen && !isInline && (
            <Beside id={id} anchor={box} onClose={close}>
              {list}
            </Beside>
          )}
        </div>
      )}
    </Field>
  );
}

/** What is typed, which is searched after a pause. Null while nothing is: the field then shows the chosen option. */
function useTyped({ options, q, isSettled, onSearch }: ComboboxProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? '';
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    if (text === q) return undefined;
    const timer = setTimeout(() => search(text), text === '' ? 0 : pause);
    return () => clearTimeout(timer);
  }, [text, q]);
  return {
    typed,
    isOpen: typed !== null,
    isSettled: text === q && isSettled && options !== undefined,
    open: () => setTyped((now) => now ?? ''),
    type: setTyped,
    close: () => setTyped(null),
  };
}

interface BesideProps {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  onClose(): void;
  children: ReactNode;
}

/** Over the page, below the field. Unlike a menu, it does not take the focus. */
function Beside({ id, anchor, onClose, children }: BesideProps) {
  const popover = useRef<HTMLDivElement>(null);
  useBackCloses(true, onClose);
  useLayoutEffect(
    () => (popover.current && anchor.current ? showBeside(popover.current, anchor.current) : undefined),
    [anchor],
  );
  return (
    <div ref={popover} id={`${id}-popover`} popover="manual" className="popover combobox-popover">
      {children}
    </div>
  );
}

interface OptionsProps extends Required<Pick<ComboboxProps, 'label'>>, Pick<ComboboxProps, 'note'> {
  id: string;
  options: readonly ComboboxOption[];
  /** The index of the one that Enter chooses. */
  active: number;
  onChoose(index: number): void;
}

function Options({ id, label, options, note, active, onChoose }: OptionsProps) {
  return (
    <>
      <div
        role="listbox"
        id={id}
        aria-label={label}
        className="combobox-list"
        // The field keeps the focus.
        onPointerDown={(event) => event.preventDefault()}
      >
        {options.map((option, index) => (
          <OptionLine
            key={option.id}
            {...{ option }}
            id={`${id}-${index}`}
            isActive={index === active}
            onChoose={() => onChoose(index)}
          />
        ))}
      </div>
      <output className="quiet numbers combobox-note">{note}</output>
    </>
  );
}

interface OptionLineProps {
  option: ComboboxOption;
  id: string;
  isActive: boolean;
  onChoose(): void;
}

function OptionLine({ option: { text, icon, end }, id, isActive, onChoose }: OptionLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    <div
      ref={line}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className="line hoverable combobox-option"
      onClick={onChoose}
      onKeyDown={undefined}
    >
      {icon && <Icon name={icon} />}
      <span className="grow one-line">
        <bdi>{text}</bdi>
      </span>
      {end !== undefined && <span className="muted numbers">{end}</span>}
    </div>
  );
}
