import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../text/text.ts';
import { IconButton, IconLink } from '../buttons/button.tsx';
import { useKeyboard } from '../keys/keys-provider.tsx';
import type { Link } from '../urls/router.tsx';
import './page-head.css';
import './page-parts.css';
import { Bdi } from '../texts/rich.tsx';

interface PageHeadProps {
  back: { to: ComponentProps<typeof Link>['to']; label: string };
  className?: string;
  children?: ReactNode;
}

/** The head of a page: a link back, the name, and actions. */
export function PageHead({ back, className, children }: PageHeadProps) {
  return (
    <header className={className === undefined ? 'line gap-3 page-head' : `line gap-3 page-head ${className}`}>
      <IconLink icon="back" {...back} />
      {children}
    </header>
  );
}

/** In characters. A longer name has several lines on a phone, which are then smaller. */
const longName = 24;

/** The name of a device or a swarm as the heading of its page: all of it, because lists and maps cut it. */
export function HeadName({ text }: { text: string }) {
  return (
    <h1 className={text.length > longName ? 'page-head-long' : undefined}>
      <Bdi>{text}</Bdi>
    </h1>
  );
}

/** Opens the palette, at the end of a page's head on a phone. On larger screens it is in the rail. */
export function JumpButton() {
  const keyboard = useKeyboard();
  return (
    <div className="jump-button">
      <IconButton icon="search" look="quiet" label={t.shell.kit.jump} onClick={() => keyboard.run('jump')} />
    </div>
  );
}
