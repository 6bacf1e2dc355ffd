import { useId, useRef, useState, type ComponentProps, type FC, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { SavedView } from '@swarmdeck/bff/contract';
import { t } from '../../text/text.ts';
import { IconButton } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { phone, useMedia } from '../../ui/browser/media.ts';
import { Popover } from '../../ui/dialogs/popover.tsx';
import { useViewRotation } from './use-view-rotation.ts';
import { viewPageOf, viewUrlOf } from './view-url.ts';
import { useViewCommands, ViewForm, ViewsBox } from './views-box.tsx';

/** The view that gets a name: the current one, or a saved one. */
export type NamedView = 'new' | SavedView;

interface SavedViewsButtonProps {
  /** The open form (SavedViewForm). The page has it, because this button is another one when a phone is turned. */
  named: NamedView | null;
  onName(view: NamedView): void;
}

/**
 * A button with the user's saved views, for pages that can be saved. The view is read from the URL, and opening a view
 * follows a link.
 */
export function SavedViewsButton({ named, onName }: SavedViewsButtonProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = useLocation();
  const { look, Frame } = useMedia(phone) ? phoneLayout : deskLayout;
  const [isOpen, setOpen] = useState(false);
  const shown = viewUrlOf(place);
  const commands = useViewCommands();
  const isWall = viewPageOf(place.pathname)?.kind === 'wall';
  useViewRotation(isWall && !isOpen && named === null ? shown : null);

  /** Focuses the button before a dialog opens, so that the focus returns to it. */
  const openForm = (view: NamedView) => {
    button.current?.focus();
    setOpen(false);
    onName(view);
  };
  const box = (
    <ViewsBox
      commands={commands}
      shown={shown}
      wall={isWall}
      onSave={() => openForm('new')}
      onRename={openForm}
      onOpened={() => {
        button.current?.focus();
        setOpen(false);
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
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Frame id={id} anchor={button} onClose={() => setOpen(false)}>
          {box}
        </Frame>
      )}
    </>
  );
}

interface SavedViewFormProps {
  named: NamedView;
  /** Those whose names the page knows. */
  swarms: readonly { id: string; name: string }[];
  onClose(): void;
}

/** The dialog with the name of a view. */
export function SavedViewForm({ named, swarms, onClose }: SavedViewFormProps) {
  const url = viewUrlOf(useLocation());
  if (named !== 'new') return <ViewForm shown={named} view={named} onClose={onClose} />;
  return url !== null && <ViewForm shown={{ url, swarms }} onClose={onClose} />;
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
