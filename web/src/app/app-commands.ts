import { useNavigate } from 'react-router';
import { t } from '../text/text.ts';
import { useCommands } from '../ui/keys/keys-provider.tsx';
import { canShare, share } from '../ui/browser/share.ts';
import { useCopy } from '../ui/buttons/use-copy.ts';

/** What the commands do that work everywhere and have no key. It renders nothing. */
export function AppCommands() {
  const navigate = useNavigate();
  const copy = useCopy();
  useCommands('app', {
    import_devices: () => void navigate('/import'),
    export_devices() {
      const { pathname, search } = location;
      // The visible list keeps its state.
      void navigate({ pathname: '/', search: pathname === '/' ? search : '' }, { state: { export: true } });
    },
    wall: () => void navigate('/map'),
    copy_link: () => copy(location.href, t.device.card.link_copied),
    share: canShare() && (() => share({ title: document.title, url: location.href })),
  });
  return null;
}
