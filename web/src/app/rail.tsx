import { useQuery } from '@tanstack/react-query';
import type { Account } from '@swarmdeck/bff/contract';
import { accountQuery } from '../features/account/account.api.ts';
import { product, t } from '../text/text.ts';
import { jumpKeys } from '../ui/key-names.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { useKeyboard } from '../ui/keys-provider.tsx';
import { Logo } from '../ui/logo.tsx';
import { Link } from '../ui/router.tsx';
import { ThemeButton } from '../ui/theme-button.tsx';
import { Background } from './background.tsx';
import { Navigation } from './navigation.tsx';
import './rail.css';

export function Rail() {
  const keyboard = useKeyboard();
  const account = useQuery(accountQuery).data;
  return (
    <header className="rail">
      <Link to="/" className="rail-brand">
        <Logo />
        <span className="rail-wide">{product}</span>
      </Link>
      <button type="button" className="rail-jump" onClick={() => keyboard.press('mod k')}>
        <Icon name="search" />
        <span className="rail-wide">{t.shell.kit.jump}</span>
        <KeyHint keys={jumpKeys} />
      </button>
      <Navigation />
      {account && <Background user_id={account.user_id} />}
      <div className="rail-foot">
        <div className="rail-aids">
          <ThemeButton look="quiet" label={t.shell.theme.label} names={t.shell.theme} />
          <button type="button" aria-label={t.shell.help} title={t.shell.help} onClick={() => keyboard.press('?')}>
            ?
          </button>
        </div>
        {account && (
          <Link to="/account" className="rail-user">
            <Avatar name={account.user_id} />
            <span className="rail-wide">
              <bdi className="rail-name">{account.user_id}</bdi>
              <span className="rail-line numbers">{userLine(account)}</span>
            </span>
          </Link>
        )}
      </div>
    </header>
  );
}

function userLine({ swarms_owned, resources }: Account): string {
  if (swarms_owned > 0) return t.shell.user.swarms(swarms_owned);
  return resources > 0 ? t.shell.user.devices(resources) : t.shell.user.fresh;
}
