import { createElement, Fragment, type ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { Button } from '../buttons/button.tsx';
import { CopyButton } from '../buttons/copy-button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import './json.css';

/** In characters: more than a line shows. */
const lineLength = 300;

/** Characters that change the direction of the text after them. JSON can be copied with these escapes. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const readable = (text: string) =>
  text.replaceAll(directions, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

const string = /("(?:[^"\\]|\\.)*")/;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Each string keeps its own direction. Otherwise `"…": 22` would begin with the number. */
function isolated(text: string): ReactNode {
  if (!rightToLeft.test(text)) return text;
  const parts = text.split(string).map((part, index) => (index % 2 === 1 ? createElement('bdi', null, part) : part));
  return createElement(Fragment, null, ...parts);
}

interface JsonProps {
  value: unknown;
  /** Is shown instead of the value. */
  text?: string | undefined;
}

/** A JSON value of another user in one line, which is truncated at its end. */
export function JsonLine({ value, text = JSON.stringify(value) }: JsonProps) {
  return (
    <code className="one-line json-line" dir="ltr">
      {isolated(readable(text.slice(0, lineLength)))}
    </code>
  );
}

interface JsonDialogProps extends JsonProps {
  title: ReactNode;
  description: ReactNode;
  /** Below the value. */
  children?: ReactNode;
  onClose(): void;
}

/** A whole JSON value, to read and to copy. */
export function JsonDialog({ title, description, value, text, children, onClose }: JsonDialogProps) {
  const shown = readable(text ?? JSON.stringify(value, null, 2));
  return (
    <Dialog
      reading
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <CopyButton look="primary" text={text ?? shown} />
          <Button onClick={onClose}>{t.shell.kit.close}</Button>
        </>
      }
    >
      <pre className="json-text" dir="ltr">
        {isolated(shown)}
      </pre>
      {children}
    </Dialog>
  );
}
