import { useQuery } from '@tanstack/react-query';
import { t } from '../../text/text.ts';
import { Box } from '../../ui/pages/box.tsx';
import { AddressRow } from './address/address-row.tsx';
import { AuthenticatorApp } from './second-factor/authenticator-app.tsx';
import { IdentityList } from './providers/identity-list.tsx';
import { PasskeyList } from './passkeys/passkey-list.tsx';
import { signInOptionsQuery } from './sign-in.api.ts';

/** By what the user signs in. */
export function SigningInBox({ id }: { id: string }) {
  const options = useQuery(signInOptionsQuery).data;
  return (
    <Box id={id} title={t.account.signing_in}>
      <IdentityList />
      <PasskeyList canAdd={options?.passkeys === true} />
      <AuthenticatorApp />
      <AddressRow givesLink={options?.mail_link === true} />
    </Box>
  );
}
