import { useId, useRef, useState, type ComponentProps, type FC, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { SavedView } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { phone, useMedia } from '../../ui/media.ts';
import { Popover } from '../../ui/popover.tsx';
import { useViewRotation } from './use-view-rotation.ts';
import { viewPageOf, viewUrlOf } from './view-url.ts';
import { useViewCommands, ViewForm, ViewsBox } from './views-box.tsx';

/**
 * A button with the user's saved views, for pages that can be saved. The view is read from the URL, and opening a view
 * follows a link. `swarms` are those whose names the page knows.
 */
export function SavedViewsButton({ swarms }: { swarms: readonly { id: string; name: string }[] }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = useLocation();
  const { look, Frame } = useMedia(phone) ? phoneLayout : deskLayout;
  const [open, setOpen] = useState<'no' | 'list' | 'save' | SavedView>('no');
  const shown = viewUrlOf(place);
  const commands = useViewCommands();
  const isWall = viewPageOf(place.pathname)?.kind === 'wall';
  useViewRotation(isWall && open === 'no' ? shown : null);

  const close = () => setOpen('no');
  /** Focuses the button before a dialog opens, so that the focus returns to it. */
  const openDialog = (to: 'save' | SavedView) => {
    button.current?.focus();
    setOpen(to);
  };
  const box = (
    <ViewsBox
      commands={commands}
      shown={shown}
      wall={isWall}
      onSave={() => openDialog('save')}
      onRename={openDialog}
      onOpened={() => {
        button.current?.focus();
        close();
      }}
    />
  );
  return (
    <>
      <IconButton
        ref={button}
        icon="bookmark"
        look={look}
        label={t.views.title}
        aria-haspopup="dialog"
        aria-expanded={open === 'list'}
        aria-controls={open === 'list' ? id : undefined}
        onClick={() => setOpen(open === 'list' ? 'no' : 'list')}
      />
      {open === 'list' && (
        <Frame id={id} anchor={button} onClose={() => setOpen((now) => (now === 'list' ? 'no' : now))}>
          {box}
        </Frame>
      )}
      {open === 'save' && shown !== null && <ViewForm shown={{ url: shown, swarms }} onClose={close} />}
      {typeof open === 'object' && <ViewForm shown={open} view={open} onClose={close} />}
    </>
  );
}

/** What differs between a phone and a desk: the button, and what the list is in. */
interface ViewsLayout {
  look: 'plain' | 'quiet';
  Frame: FC<FrameProps>;
}

interface FrameProps extends Pick<ComponentProps<typeof Popover>, 'id' | 'anchor' | 'onClose'> {
  children: ReactNode;
}

function PhoneFrame({ id, onClose, children }: FrameProps) {
  return (
    <Dialog size="small" title={t.views.title} onClose={onClose}>
      <div id={id}>{children}</div>
    </Dialog>
  );
}

const phoneLayout: ViewsLayout = { look: 'quiet', Frame: PhoneFrame };

function DeskFrame({ children, ...popover }: FrameProps) {
  return (
    <Popover
      {...popover}
      kind="dialog"
      label={t.views.title}
      className="views-popover"
      onKeyDown={(event) => {
        // The page's shortcuts do not run here, except Undo.
        if (event.key !== 'z' && !event.ctrlKey && !event.metaKey) event.stopPropagation();
      }}
    >
      <h2 className="views-title">{t.views.title}</h2>
      {children}
    </Popover>
  );
}

const deskLayout: ViewsLayout = { look: 'plain', Frame: DeskFrame };
