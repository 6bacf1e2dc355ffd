import { useEffect, useRef, type ReactNode, type Ref } from 'react';
import { product } from '../../text/text.ts';
import { Logo } from '../../ui/symbols/icon.tsx';
import { usePageTitle } from '../../ui/pages/page-title.ts';
import './sign-in-card.css';

interface SignInFrameProps {
  title: string;
  /** Before the heading. */
  intro?: ReactNode;
  /** Whether the heading takes the focus, because the page follows another one. */
  takesFocus?: boolean;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** The card of each page before the app: the name of the product, a heading, and the title of the tab. */
export function SignInFrame({ title, intro, takesFocus = false, ref, children }: SignInFrameProps) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <div ref={ref} className="stack gap-4 sign-in-card">
      <p className="line gap-3 sign-in-brand">
        <Logo size={32} /> {product}
      </p>
      {intro}
      <h1 ref={heading} tabIndex={takesFocus ? -1 : undefined}>
        {title}
      </h1>
      {children}
    </div>
  );
}
