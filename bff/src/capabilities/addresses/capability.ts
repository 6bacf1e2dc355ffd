import type { Accounts } from '../../core/accounts/accounts.ts';
import type { Definition } from '../../core/capability.ts';
import { createAddressMails } from './address-mails.ts';
import { addressRoutes } from './address.routes.ts';
import { createAddresses } from './addresses.store.ts';
import { createLinkCodes } from './link-codes.ts';
import { createLinkUses } from './link-uses.ts';
import { linkRoutes } from './links.routes.ts';

export const addresses = {
  way(accounts: Accounts) {
    const { secrets, feed, now, passwords } = accounts;
    const addresses = createAddresses(accounts);
    const links = createLinkUses({ ...accounts, addresses });
    const addressMails = createAddressMails({
      ...accounts,
      addresses,
      codes: createLinkCodes({ purpose: 'address link', secret: secrets[0], feedName: feed.name, now }),
      createLink: links.createMailed,
    });
    return {
      routes: linkRoutes({ ...accounts, addressMails, links }),
      screens: addressRoutes({ ...accounts, addressMails }),
      offered: { mail_link: passwords && addressMails.isAvailable },
      tell: addressMails.notify,
      writeMail: addressMails.write,
      createLink: links.create,
    };
  },
} satisfies Definition;
