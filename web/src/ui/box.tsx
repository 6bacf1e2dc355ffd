import { useId } from 'react';
import type { ReactNode, Ref } from 'react';
import './box.css';

/** A framed part of a page with a heading. `count` is beside the heading, `action` at the end of its line. */
export function Box({
  id,
  title,
  count,
  action,
  children,
  ref,
}: {
  id?: string;
  title: string;
  count?: string | undefined;
  action?: ReactNode;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}) {
  const heading = useId();
  return (
    <section ref={ref} id={id} className="box" aria-labelledby={heading}>
      <div className="box-head">
        <h2 id={heading}>{title}</h2>
        {count !== undefined && <span className="box-count numbers">{count}</span>}
        {action && <div className="box-action">{action}</div>}
      </div>
      {children}
    </section>
  );
}
