import type { ActionItem } from '@swarmdeck/bff/contract';
import { registerAction } from '../../../api/action-kinds.ts';
import type { Change } from '../../../api/changes.ts';
import { actionLabels } from '../../../bulk/action-labels.tsx';
import { t } from '../../../text/text.ts';

const targets = ({ id }: ActionItem<'withdraw'>) => [`invitation:${id}`];
const changes = (): Change[] => [{ type: 'invitations.changed', data: {} }];
const names = (_about: object, item?: ActionItem<'withdraw'>) => ({ to: item?.name ?? '' });

registerAction('withdraw', { ...actionLabels(() => t.board.kinds.withdraw, names), targets, changes });
registerAction('invite_again', { ...actionLabels(() => t.board.kinds.invite_again, names), targets, changes });
