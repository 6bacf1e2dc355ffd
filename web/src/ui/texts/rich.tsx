import { Fragment, createElement, type ComponentProps, type ReactNode } from 'react';
import { inOrder } from '../../text/isolate.ts';

/** A text with React nodes in its placeholders: `<Rich text="Then on to {page}." page={<b>…</b>} />`. */
export function Rich({ text, ...placeholders }: { text: string } & Record<string, ReactNode>) {
  const parts = text.split(/\{(\w+)\}/u).map((part, index) => (index % 2 === 1 ? placeholders[part] : part));
  return createElement(Fragment, null, ...parts);
}

/**
 * Isolates text of other users within a sentence, so that its direction does not affect the text around it; and nothing in it turns a part of it
 * around.
 */
export function Bdi({ children, ...props }: ComponentProps<'bdi'>) {
  const shown = [children].flat().map((child) => (typeof child === 'string' ? inOrder(child) : child));
  return createElement('bdi', props, ...shown);
}
