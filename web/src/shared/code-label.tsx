import { useState } from 'react';
import { limits } from '@swarmdeck/bff/field-rules';
import { labelOf } from '../data/invite-link.ts';
import { t } from '../text/text.ts';
import { TextField } from '../ui/fields/field.tsx';
import { createPreference, usePreference } from '../ui/browser/preference.ts';
import { Segmented } from '../ui/fields/segmented.tsx';
import { TruncateMiddle } from '../ui/texts/truncate-middle.tsx';
import './code-label.css';

const kinds = ['none', 'name', 'text'] as const;
/** By default a code says nothing about the device: nothing is told that its owner has not chosen to tell. */
export const codeLabelPreference = createPreference({ key: 'code_label', values: kinds });

/** What the invite codes that the user copies say about the devices. This browser remembers which kind. */
export function useCodeLabel() {
  const kind = usePreference(codeLabelPreference);
  const [text, setText] = useState('');
  return {
    kind,
    text,
    setText,
    /** The label for the device with this name; empty for none. */
    labelOf: (name: string) => (kind === 'none' ? '' : labelOf(kind === 'name' ? name : text)),
  };
}

export type CodeLabels = ReturnType<typeof useCodeLabel>;

/** Asks the owner of devices what their codes say about them. */
export function LabelChoice({ labels: { kind, text, setText } }: { labels: CodeLabels }) {
  const texts = t.invite_code.label;
  return (
    <div className="stack label-choice">
      <Segmented
        label={texts.title}
        value={kind}
        options={kinds.map((value) => ({ value, label: texts.kinds[value] }))}
        onChange={codeLabelPreference.set}
      />
      {kind === 'text' && (
        <TextField
          label={texts.text}
          maxLength={limits.nameLength}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <p className="quiet">{kind === 'none' ? texts.says_nothing : texts.says}</p>
    </div>
  );
}

/** What a code said about a device, in quotation marks: it proves nothing. */
export function CodeLabel({ label }: { label: string }) {
  return (
    <span className="code-label one-line" title={t.invite_code.label.from_code}>
      <TruncateMiddle text={t.invite_code.label.quoted(label)} />
      <span className="visually-hidden"> ({t.invite_code.label.from_code})</span>
    </span>
  );
}
