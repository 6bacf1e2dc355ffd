import { useId, useRef, type ReactNode, type Ref } from 'react';
import './box.css';
import { useFocusRestore } from '../browser/use-focus-restore.ts';

interface BoxProps {
  id?: string;
  title: string;
  count?: string | undefined;
  action?: ReactNode;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}

/**
 * A framed part of a page with a heading. `count` is beside the heading, `action` at the end of its line. When its focused
 * element is removed, the heading gets the focus.
 */
export function Box({ id, title, count, action, children, ref }: BoxProps) {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const focusRestore = useFocusRestore(() => heading.current?.focus({ preventScroll: true }));
  return (
    <section ref={ref} id={id} className="box" aria-labelledby={headingId} {...focusRestore}>
      <div className="line wraps box-head">
        <h2 ref={heading} id={headingId} tabIndex={-1}>
          {title}
        </h2>
        {count !== undefined && <span className="muted numbers">{count}</span>}
        {action && <div className="to-end">{action}</div>}
      </div>
      {children}
    </section>
  );
}
