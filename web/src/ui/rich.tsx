import { Fragment, createElement, type ReactNode } from 'react';

/** A text with React nodes in its placeholders: `<Rich text="Then on to {page}." page={<b>…</b>} />`. */
export function Rich({ text, ...placeholders }: { text: string } & Record<string, ReactNode>) {
  const parts = text.split(/\{(\w+)\}/u).map((part, index) => (index % 2 === 1 ? placeholders[part] : part));
  return createElement(Fragment, null, ...parts);
}

/** Isolates text of other users within a sentence, so that its direction does not affect the text around it. */
export function Bdi({ children }: { children: ReactNode }) {
  return <bdi>{children}</bdi>;
}
